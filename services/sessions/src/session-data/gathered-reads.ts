interface Asked<Key, Value> {
  readonly keys: readonly Key[];
  readonly resolve: (values: (Value | undefined)[]) => void;
  readonly reject: (error: Error) => void;
}

/** Keys in one query, at most; one caller's stay together. */
const atOnce = 500;

/** Reads of all sockets that come in one turn of the event loop share one query. */
export class GatheredReads<Key, Value> {
  readonly #read: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
  #asked: Asked<Key, Value>[] = [];
  #count = 0;

  /** @param read values in the order of the keys */
  constructor(read: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>) {
    this.#read = read;
  }

  /** Values in the order of the keys. */
  of(keys: readonly Key[]): Promise<(Value | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ keys, resolve, reject });
      if (this.#asked.length === 1) setImmediate(() => void this.#run());
      this.#count += keys.length;
      if (this.#count >= atOnce) void this.#run();
    });
  }

  async #run(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    this.#count = 0;
    if (asked.length === 0) return;
    try {
      const values = await this.#read(asked.flatMap(({ keys }) => keys));
      let from = 0;
      for (const { keys, resolve } of asked) resolve(values.slice(from, (from += keys.length)));
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }
}
