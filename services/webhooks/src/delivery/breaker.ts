import type { Attempt } from './sender.ts';

/** Different deliveries that a receiver must refuse or break off in a row before it counts as down. */
const refusedInARow = 3;

/**
 * Tells when a receiver counts as down: at once when it cannot be reached, and when it refuses several different
 * deliveries in a row. One delivery that a receiver refuses again and again says nothing about the others.
 */
export class Breaker {
  readonly #refused = new Set<string>();

  /** @returns whether the receiver counts as down after this attempt */
  note(eventId: string, outcome: Attempt['outcome']): boolean {
    if (outcome === 'delivered') this.#refused.clear();
    else if (this.#refused.size < refusedInARow) this.#refused.add(eventId);
    return outcome === 'unreachable' || this.#refused.size >= refusedInARow;
  }

  /** Nothing was refused of late. */
  get calm(): boolean {
    return this.#refused.size === 0;
  }

  reset(): void {
    this.#refused.clear();
  }
}
