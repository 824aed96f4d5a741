import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import type { Subscription } from './events.ts';
import { frozen } from './json.ts';

const intervalMs = 2_000;
/** Taken by one replica, a letter is left alone by the others for so long, seconds. */
const claimSeconds = 30;
const atOnce = 10;

/** Handles an event once more, after what its key has waiting. Resolves when it is settled, which it never is after a stop. */
export type Again = (event: EventEnvelope) => Promise<void>;

/** Tries dead letters again that were put back. */
export class PutBack {
  readonly #subscription: Subscription;
  readonly #againOf: (kind: string) => Again | undefined;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(subscription: Subscription, againOf: (kind: string) => Again | undefined, log: Logger) {
    this.#subscription = subscription;
    this.#againOf = againOf;
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
      text: `update "${schema}".dead_letters set put_back_at = clock_timestamp() + make_interval(secs => $2)
        where (consumer, name, id) in (select consumer, name, id from "${schema}".dead_letters
          where consumer = $1 and put_back_at <= now() order by put_back_at limit $3 for update skip locked)
        returning envelope`,
      values: [group, claimSeconds, atOnce],
    });
    for (const { envelope } of rows) {
      const again = this.#againOf(envelope.type);
      if (again === undefined) continue;
      await again(frozen(envelope));
      await pool.query(
        `delete from "${schema}".dead_letters where consumer = $1 and name = $2 and id = $3 and put_back_at is not null`,
        [group, envelope.type, envelope.id],
      );
    }
  }
}
