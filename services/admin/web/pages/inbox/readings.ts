type Change<T> = (list: T) => T;

interface Reading<K, T> {
  readonly key: K;
  readonly begunAt: number;
  readonly changes: Change<T>[];
}

/**
 * Lists that are being read. An answer may be older than what events told while it was under way: it is changed as they said, in
 * their order, and so misses nothing of it.
 */
export class Readings<K, T> {
  readonly #underWay = new Set<Reading<K, T>>();
  #moments = 0;
  #leftAt = 0;

  /** This moment, among those in which readings begin. */
  moment(): number {
    this.#moments += 1;
    return this.#moments;
  }

  /** Nobody tells anything any more: what is under way misses what happens from now on. */
  leave(): void {
    this.#leftAt = this.moment();
  }

  /** Whether something that was asked for at a moment may have missed what happened since. */
  isLeftSince(moment: number): boolean {
    return this.#leftAt > moment;
  }

  /** Reads a list, by a key that says which. @returns it with the changes that were told in the meantime */
  async read(key: K, list: () => Promise<T>): Promise<T> {
    const reading: Reading<K, T> = { key, begunAt: this.moment(), changes: [] };
    this.#underWay.add(reading);
    try {
      const read = await list();
      return reading.changes.reduce<T>((changed, change) => change(changed), read);
    } finally {
      this.#underWay.delete(reading);
    }
  }

  /** Whether a list is being read. */
  has(isMeant: (key: K) => boolean): boolean {
    return [...this.#underWay].some(({ key }) => isMeant(key));
  }

  /**
   * Tells lists that are being read what has changed. A change that is made twice is as if it were made once.
   *
   * @param asOf moment after which the change was read: no news to lists whose reading began later. Absent: it has just happened
   */
  tell(changeOf: (key: K) => Change<T>, asOf = Infinity): void {
    for (const { key, begunAt, changes } of this.#underWay) if (begunAt < asOf) changes.push(changeOf(key));
  }
}
