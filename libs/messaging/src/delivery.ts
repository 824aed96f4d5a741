import type { EventEnvelope } from '@messaging-gateway/contracts';
import { isUnavailable, type Logger } from '@messaging-gateway/runtime';
import { keepDeadLetter } from './dead-letters.ts';
import type { Subscription } from './events.ts';
import type { Work } from './keyed-work.ts';
import { outageWait } from './outage-wait.ts';

const usualDelays = [100, 1_000, 5_000, 15_000];

/** Hands events to the handler of one subscription until each was taken in or given up. */
export class Delivery {
  readonly #subscription: Subscription;
  readonly #log: Logger;

  constructor(subscription: Subscription, log: Logger) {
    this.#subscription = subscription;
    this.#log = log;
  }

  /** @param settled called once, when the event was taken in or given up */
  of(event: EventEnvelope, settled: () => void): Work {
    const delays = this.#subscription.retryDelaysMs ?? usualDelays;
    let attempt = 0;
    let outages = 0;
    return async () => {
      try {
        await this.#subscription.handler(event);
      } catch (error) {
        if (isUnavailable(error)) return outageWait(outages++);
        const delay = delays[attempt++];
        if (delay !== undefined) return delay;
        if (!(await this.#giveUp(event, error as Error))) return outageWait(outages++);
      }
      settled();
      return undefined;
    };
  }

  async #giveUp(event: EventEnvelope, error: Error): Promise<boolean> {
    const { group, home, onGivenUp } = this.#subscription;
    const { id, type, key, organizationId, requestId } = event;
    const reason = `${error.name}: ${error.message}`;
    try {
      await keepDeadLetter(home, { id, consumer: group, name: type, key, organizationId, reason, envelope: event });
      this.#log.error('Event given up', { group, kind: type, eventId: id, requestId, reason, stack: error.stack });
      onGivenUp?.({ event, group, reason });
      return true;
    } catch (failure) {
      this.#log.warn('Dead letter not kept yet', { group, kind: type, eventId: id, reason: String(failure) });
      return false;
    }
  }
}
