import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import { claimPutBack, removePutBack } from './dead-letters.ts';
import type { Subscription } from './events.ts';
import { frozen } from './json.ts';

const intervalMs = 2_000;
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
    const { group, home, kinds } = this.#subscription;
    for (const envelope of await claimPutBack<EventEnvelope>(home, group, kinds, atOnce)) {
      const again = this.#againOf(envelope.type);
      if (again === undefined) continue;
      await again(frozen(envelope));
      await removePutBack(home, group, envelope.type, envelope.id);
    }
  }
}
