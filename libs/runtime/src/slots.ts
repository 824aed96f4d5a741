export interface Turn {
  /** Owner of the work: one that waits with much lets others in between. */
  readonly of?: string;
  /** Ends the wait for a slot; what has begun goes on. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly begin: () => void;
}

/** So many at once; the others by turns of those whose work it is, and for each in the order in which it came. */
export class Slots {
  #free: number;
  readonly #mostOfOne: number;
  /** The turn is the first one's. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();

  /** @param mostOfOne so many at once of the same one */
  constructor(slots: number, mostOfOne = slots) {
    this.#free = slots;
    this.#mostOfOne = mostOfOne;
  }

  /** @throws the signal's reason when it ended before there was a slot */
  async run<Result>(work: () => Promise<Result>, { of = '', signal }: Turn = {}): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#mayBegin(of)) this.#take(of);
    else await this.#slot(of, signal);
    try {
      return await work();
    } finally {
      this.#release(of);
    }
  }

  #mayBegin(of: string): boolean {
    return this.#free > 0 && (this.#running.get(of) ?? 0) < this.#mostOfOne;
  }

  #take(of: string): void {
    this.#free -= 1;
    this.#running.set(of, (this.#running.get(of) ?? 0) + 1);
  }

  #slot(of: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#without(of, waiting);
        reject(signal?.reason as Error);
      };
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.set(of, [...(this.#waiting.get(of) ?? []), waiting]);
    });
  }

  #release(of: string): void {
    this.#free += 1;
    const left = (this.#running.get(of) ?? 1) - 1;
    if (left > 0) this.#running.set(of, left);
    else this.#running.delete(of);
    for (const next of this.#waiting.keys()) {
      if (!this.#mayBegin(next)) continue;
      const [first, ...others] = this.#waiting.get(next) ?? [];
      this.#waiting.delete(next);
      if (others.length > 0) this.#waiting.set(next, others);
      this.#take(next);
      first?.begin();
      return;
    }
  }

  #without(of: string, waiting: Waiting): void {
    const others = (this.#waiting.get(of) ?? []).filter((one) => one !== waiting);
    if (others.length > 0) this.#waiting.set(of, others);
    else this.#waiting.delete(of);
  }
}
