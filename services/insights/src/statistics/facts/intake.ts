import { Batcher, type ServiceTools } from '@messaging-gateway/service';
import type { InsightsSettings } from '../../config.ts';
import { messagesAtOnce } from '../../messages-at-once.ts';
import type { News } from './fact.ts';
import { oldestKept } from './retention.ts';
import { takeIn } from './taking.ts';

/** News in one transaction, at most. No more than are handed in at the same time of one kind: so many wait for no pause. */
const batchLimit = messagesAtOnce;
/**
 * Pause behind a write of so many news, milliseconds. From a hundred news a second on it grows to the longest: nobody but a reader of
 * statistics waits for them, what is written together costs less, and news of a message soon after it are written with it.
 */
const restAfter = (news: number): number => Math.min(1000, news * 10);

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
      restAfter,
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
