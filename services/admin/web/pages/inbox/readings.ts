type Change<T> = (list: T) => T;

interface Reading<K, T> {
  readonly key: K;
  readonly changes: Change<T>[];
}

/**
 * Lists that are being read. An answer may be older than what events told while it was under way: it is changed as they said, in
 * their order, and so misses nothing of it.
 */
export class Readings<K, T> {
  readonly #underWay = new Set<Reading<K, T>>();

  /** Reads a list, by a key that says which. @returns it with the changes that were told in the meantime */
  async read(key: K, list: () => Promise<T>): Promise<T> {
    const reading: Reading<K, T> = { key, changes: [] };
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

  /** Tells all lists that are being read what has changed. A change that is made twice is as if it were made once. */
  tell(changeOf: (key: K) => Change<T>): void {
    for (const { key, changes } of this.#underWay) changes.push(changeOf(key));
  }
}
