import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import { keepDeadLetter } from './dead-letters.ts';
import { DelayedKeys, type KeyOfKind } from './delayed-keys.ts';
import type { Subscription } from './events.ts';
import type { Work } from './keyed-work.ts';
import { outageWait } from './outage-wait.ts';
import { isForNow } from './refused.ts';

const usualDelays = [100, 1_000, 5_000, 15_000];
/**
 * So long a key may fail while others get through, milliseconds, and while none does: that is an outage more likely. When
 * there is no room left, it is set aside at once, and soon.
 */
const othersGetThroughMs = { room: 60_000, noRoom: 0 };
const nobodyGetsThroughMs = { room: 600_000, noRoom: 2_000 };
/** Share of the room from which on others wait for a key. */
const largeShare = 1 / 8;
/** Events of a delayed key read together. */
const readAtOnce = 50;

/** Which share of the room events of a key take, 0 to 1; undefined while there is room. */
export type ShareOf = (key: string) => number | undefined;

/** Hands events to the handler of one subscription until each was taken in, given up or set aside. */
export class Delivery {
  /** Keys that do not get through. */
  readonly delayed: DelayedKeys;
  readonly #subscription: Subscription;
  readonly #log: Logger;
  /** When an event of a kind was last handled. */
  readonly #succeeded = new Map<string, number>();

  constructor(subscription: Subscription, log: Logger) {
    this.#subscription = subscription;
    this.#log = log;
    this.delayed = new DelayedKeys(subscription.home, subscription.group);
  }

  /**
   * @param settled called once, when the event was taken in, given up or set aside
   * @param shareOf which share of the room a key takes; undefined while there is room for more events
   */
  of(event: EventEnvelope, settled: () => void, shareOf: ShareOf = () => undefined): Work {
    const delays = this.#subscription.retryDelaysMs ?? usualDelays;
    let attempt = 0;
    let outages = 0;
    let failingSince: number | undefined;
    return async () => {
      try {
        await this.delayed.ready();
        if (!(await this.#isAppended(event))) await this.#handle(event);
      } catch (error) {
        failingSince ??= performance.now();
        if (await this.#isSetAside(event, error as Error, failingSince, shareOf)) settled();
        else if (isForNow(error)) return outageWait(outages++);
        else {
          const delay = delays[attempt++];
          if (delay !== undefined) return delay;
          if (!(await this.#giveUp(event, error as Error))) return outageWait(outages++);
          settled();
        }
        return undefined;
      }
      settled();
      return undefined;
    };
  }

  /**
   * Handles what waits of a delayed key, in its order, until an event does not get through or the key is let go: what comes while it is
   * about to be, is handled, too.
   *
   * @param isOver a stop
   */
  async workOff(which: KeyOfKind, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const events = await this.delayed.oldest(which, readAtOnce);
      if (events.length === 0 && (await this.delayed.release(which))) return;
      for (const event of events) {
        if (isOver() || !(await this.#isThrough(event))) return;
        await this.delayed.done(event);
      }
    }
  }

  async #handle(event: EventEnvelope): Promise<void> {
    await this.#subscription.handler(event);
    this.#succeeded.set(event.type, performance.now());
  }

  async #isAppended(event: EventEnvelope): Promise<boolean> {
    return this.delayed.has(event.type, event.key) && (await this.delayed.append(event));
  }

  async #isThrough(event: EventEnvelope): Promise<boolean> {
    try {
      await this.#handle(event);
      return true;
    } catch (error) {
      const which = { kind: event.type, key: event.key };
      const failures = await this.delayed.putOff(which, reasonOf(error as Error), !isForNow(error));
      const { length } = this.#subscription.retryDelaysMs ?? usualDelays;
      return failures > length && this.#giveUp(event, error as Error);
    }
  }

  /** A key may not hold up the others for long: see `docs/decisions/0511-keys-that-do-not-get-through.md`. */
  async #isSetAside(event: EventEnvelope, error: Error, since: number, shareOf: ShareOf): Promise<boolean> {
    const { group } = this.#subscription;
    const { type: kind, key, id } = event;
    const forMs = performance.now() - since;
    const othersGetThrough = (this.#succeeded.get(kind) ?? 0) > since;
    const share = shareOf(key);
    const isCrowded = share !== undefined && (othersGetThrough || share > largeShare);
    const patience = othersGetThrough ? othersGetThroughMs : nobodyGetsThroughMs;
    if (forMs < patience[isCrowded ? 'noRoom' : 'room']) return false;
    const reason = reasonOf(error);
    try {
      await this.delayed.setAside(event, reason);
    } catch (failure) {
      this.#log.warn('Key not set aside yet', { group, kind, eventId: id, reason: String(failure) });
      return false;
    }
    this.#log.error('Key set aside: its events wait for a longer time', { group, kind, key, eventId: id, reason });
    return true;
  }

  async #giveUp(event: EventEnvelope, error: Error): Promise<boolean> {
    const { group, home, onGivenUp } = this.#subscription;
    const { id, type, key, organizationId, requestId } = event;
    const reason = reasonOf(error);
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

const reasonOf = ({ name, message }: Error): string => `${name}: ${message}`;
