import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import type { Subscription } from '../events.ts';
import { frozen } from '../json.ts';
import type { Channel } from './channel.ts';

const intervalMs = 2_000;

/** Tries dead letters again that were put back. */
export class PutBack {
  readonly #subscription: Subscription;
  readonly #channelOf: (kind: string) => Channel | undefined;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(subscription: Subscription, channelOf: (kind: string) => Channel | undefined, log: Logger) {
    this.#subscription = subscription;
    this.#channelOf = channelOf;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    void this.#tryAgain()
      .catch((error: unknown) =>
        this.#log.warn('Dead letters not readable', { group: this.#subscription.group, reason: String(error) }),
      )
      .finally(() => (this.#looking = false));
  }

  async #tryAgain(): Promise<void> {
    const {
      group,
      home: { pool, schema },
    } = this.#subscription;
    const { rows } = await pool.query<{ envelope: EventEnvelope }>({
      name: `put back ${schema}`,
      text: `select envelope from "${schema}".dead_letters where put_back_at is not null and consumer = $1 order by put_back_at limit 100`,
      values: [group],
    });
    for (const { envelope } of rows) {
      const channel = this.#channelOf(envelope.type);
      if (channel === undefined) continue;
      await channel.again(frozen(envelope));
      await pool.query(
        `delete from "${schema}".dead_letters where consumer = $1 and name = $2 and id = $3 and put_back_at is not null`,
        [group, envelope.type, envelope.id],
      );
    }
  }
}
