import type { EventEnvelope } from '@messaging-gateway/contracts';
import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import { keepDeadLetter } from '../dead-letters.ts';
import type { Subscription } from '../events.ts';

const usualDelays = [100, 1_000, 5_000, 15_000];
const longestOutageWait = 2_000;

/** Hands events to the handler of one subscription until each was taken in or given up. */
export class Delivery {
  readonly #subscription: Subscription;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #stop: AbortSignal;

  constructor(subscription: Subscription, tools: { readonly clock: Clock; readonly log: Logger; readonly stop: AbortSignal }) {
    this.#subscription = subscription;
    this.#clock = tools.clock;
    this.#log = tools.log;
    this.#stop = tools.stop;
  }

  /** @returns false when it was stopped before the event was settled: it comes again after the next start */
  async settle(event: EventEnvelope): Promise<boolean> {
    const delays = this.#subscription.retryDelaysMs ?? usualDelays;
    let attempt = 0;
    let outages = 0;
    while (!this.#stop.aborted) {
      const error = await this.#try(event);
      if (error === undefined) return true;
      if (isUnavailable(error)) {
        outages += 1;
        await this.#wait(Math.min(50 * 2 ** outages, longestOutageWait));
        continue;
      }
      const delay = delays[attempt];
      if (delay === undefined) return this.#giveUp(event, error);
      attempt += 1;
      await this.#wait(delay);
    }
    return false;
  }

  async #try(event: EventEnvelope): Promise<Error | undefined> {
    try {
      await this.#subscription.handler(event);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #giveUp(event: EventEnvelope, error: Error): Promise<boolean> {
    const { group, home, onGivenUp } = this.#subscription;
    const reason = `${error.name}: ${error.message}`;
    this.#log.error('Event given up', { group, kind: event.type, eventId: event.id, requestId: event.requestId, reason, stack: error.stack });
    while (!this.#stop.aborted) {
      try {
        const { id, type, key, organizationId } = event;
        await keepDeadLetter(home, { id, consumer: group, name: type, key, organizationId, reason, envelope: event });
        onGivenUp?.({ event, group, reason });
        return true;
      } catch (failure) {
        this.#log.warn('Dead letter not kept yet', { group, kind: event.type, reason: String(failure) });
        await this.#wait(longestOutageWait);
      }
    }
    return false;
  }

  async #wait(ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#stop).catch(() => undefined);
  }
}
