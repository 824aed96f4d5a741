type Work = () => Promise<void>;

/** Runs pieces of work in order per key, and different keys at the same time up to a limit. Work must not reject. */
export class KeyedWork {
  readonly #concurrency: number;
  readonly #waiting = new Map<string, Work[]>();
  readonly #ready: string[] = [];
  #active = 0;
  #idle: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** How many keys have work that is running or waiting. */
  get keys(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  add(key: string, work: Work): void {
    const queue = this.#waiting.get(key);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#waiting.set(key, [work]);
    this.#ready.push(key);
    this.#startMore();
  }

  /** Resolves when nothing is running or waiting. */
  async idle(): Promise<void> {
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #startMore(): void {
    while (this.#active < this.#concurrency) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      this.#active += 1;
      void this.#run(key);
    }
  }

  /** One piece, then back to the end of the line: a busy key does not keep others out. */
  async #run(key: string): Promise<void> {
    const queue = this.#waiting.get(key) ?? [];
    await queue.shift()?.();
    this.#active -= 1;
    if (queue.length > 0) this.#ready.push(key);
    else this.#waiting.delete(key);
    this.#startMore();
    if (this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
