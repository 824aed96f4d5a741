import { Batcher, type ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from '../../config.ts';
import type { News } from './fact.ts';
import { oldestKept } from './retention.ts';
import { takeIn } from './taking.ts';

/** News in one transaction, at most. */
const batchLimit = 1000;
/**
 * Pause between writes, milliseconds: nobody but a reader of statistics waits for them, and news of a message soon
 * after it are written with it.
 */
const restMs = 200;

type IntakeTools = Pick<ServiceTools<InsightsSettings>, 'sql' | 'clock' | 'settings'>;

/** Takes in what is told of messages. Resolves once that is committed. */
export class Intake {
  readonly #tools: IntakeTools;
  readonly #batcher: Batcher<News, void>;

  constructor(tools: IntakeTools) {
    this.#tools = tools;
    this.#batcher = new Batcher<News, void>(
      async (news) => {
        await this.takeTogether(news);
        return news.map(() => undefined);
      },
      batchLimit,
      restMs,
    );
  }

  async take(news: readonly News[]): Promise<void> {
    await Promise.all(news.map((one) => this.#batcher.add(one)));
  }

  /** At once, in one transaction. */
  async takeTogether(news: readonly News[]): Promise<void> {
    const { sql, clock, settings } = this.#tools;
    const now = clock.now();
    const oldest = oldestKept(now, settings.statisticsRetentionDays);
    const kept = news.filter((one) => one.kind !== 'message' || one.at >= oldest);
    if (kept.length > 0) await takeIn(sql, kept, now);
  }
}
