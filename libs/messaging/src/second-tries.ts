import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import { claimPutBack, removePutBack } from './dead-letters.ts';
import type { Delivery } from './delivery.ts';
import type { Subscription } from './events.ts';
import { frozen } from './json.ts';

const atOnce = 10;

/** Handles an event once more, after what its key has waiting. Resolves when it is settled, which it never is after a stop. */
export type Again = (event: EventEnvelope) => Promise<void>;

/** Tries again what lies in the consumer's tables: dead letters that were put back, and keys that were set aside. */
export class SecondTries {
  readonly #subscription: Subscription;
  readonly #delivery: Delivery;
  readonly #againOf: (kind: string) => Again | undefined;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #working: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(
    subscription: Subscription,
    delivery: Delivery,
    againOf: (kind: string) => Again | undefined,
    log: Logger,
  ) {
    this.#subscription = subscription;
    this.#delivery = delivery;
    this.#againOf = againOf;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), subscription.secondTriesMs ?? 2_000).unref();
  }

  /** Resolves when what is under way of the keys that were set aside has finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#working = this.#workOff().catch((error: unknown) => this.#unreadable('Delayed events', error));
    void Promise.all([
      this.#working,
      this.#tryAgain().catch((error: unknown) => this.#unreadable('Dead letters', error)),
    ]).finally(() => (this.#looking = false));
  }

  #unreadable(what: string, error: unknown): void {
    this.#log.warn(`${what} not readable`, { group: this.#subscription.group, reason: String(error) });
  }

  async #workOff(): Promise<void> {
    const { delayed } = this.#delivery;
    await delayed.look();
    const keys = await delayed.claim(this.#subscription.kinds, atOnce);
    await Promise.all(keys.map((key) => this.#delivery.workOff(key, () => this.#stopped)));
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
