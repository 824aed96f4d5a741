import type { Counted, JournalEntry, JournalPlace } from '@messaging-gateway/event-sourcing';
import { comparePlaces } from '../envelopes.ts';

/** Places kept, at most. */
const capacity = 20_000;

/** Places that were told without having been read, until the journal has confirmed that nothing else stands in between. */
export class HandedOver {
  #places: JournalPlace[] = [];

  get count(): number {
    return this.#places.length;
  }

  /**
   * Adds entries that follow what was told last. A number that is missing between them may be an entry of another
   * transaction.
   *
   * @returns whether they do
   */
  add(entries: readonly JournalEntry[], told: JournalPlace | undefined): boolean {
    let last = told;
    for (const { place } of entries) {
      if (place.position !== (last?.position ?? 0n) + 1n || comparePlaces(place, last) <= 0) return false;
      last = place;
    }
    if (this.#places.length + entries.length > capacity) return false;
    this.#places.push(...entries.map(({ place }) => place));
    return true;
  }

  /** An entry was read. @returns whether it had been handed over */
  read(place: JournalPlace): boolean {
    const index = this.#places.findIndex((one) => comparePlaces(one, place) >= 0);
    if (index === -1 || comparePlaces(this.#places[index], place) !== 0) return false;
    this.#places.splice(index, 1);
    return true;
  }

  /** Entries were counted. @returns whether they are those that were handed over first */
  confirm({ count, last }: Counted): boolean {
    if (last === undefined || comparePlaces(this.#places[count - 1], last) !== 0) return false;
    this.#places.splice(0, count);
    return true;
  }
}
