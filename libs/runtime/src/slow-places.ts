/** Places for work that waits for somebody outside: one tenant whose servers are slow takes no more than its own. */
export class SlowPlaces {
  readonly #mostOfOne: number;
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** @param mostOfOne of one owner @param most of all together */
  constructor(mostOfOne: number, most: number) {
    this.#mostOfOne = mostOfOne;
    this.#most = most;
  }

  /** @returns gives the place back; undefined: there is none now */
  take(owner: string): (() => void) | undefined {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#mostOfOne || this.#all >= this.#most) return undefined;
    this.#taken.set(owner, taken + 1);
    this.#all += 1;
    return () => {
      const left = (this.#taken.get(owner) ?? 1) - 1;
      if (left === 0) this.#taken.delete(owner);
      else this.#taken.set(owner, left);
      this.#all -= 1;
    };
  }
}
