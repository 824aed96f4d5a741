/** Statements on their way at the same time. */
const inFlightLimit = 3;
/** Items for one statement, at most. */
const batchLimit = 64;
/** Under load items wait so long for company, milliseconds. */
const gatherMs = 2;

/**
 * Handles one batch; never rejects. `stuck` gives its place to the next batch while it waits for something else
 * than the load, such as a database that is away.
 */
type WriteBatch<Item> = (items: Item[], stuck: () => void) => Promise<void>;

/** Group commit: hands items on at once while nothing is on its way, and in batches under load. */
export class FlushQueue<Item> {
  readonly #write: WriteBatch<Item>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  constructor(write: WriteBatch<Item>) {
    this.#write = write;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#soon !== undefined || this.#inFlight >= inFlightLimit) return;
    if (this.#inFlight === 0 || this.#waiting.length >= batchLimit) {
      // After the events of this turn, so that what came in together goes out together.
      this.#soon = setImmediate(() => this.#flush());
    } else {
      this.#later ??= setTimeout(() => this.#flush(), gatherMs);
    }
  }

  #flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    const items = this.#waiting.splice(0, batchLimit);
    if (items.length === 0) return;
    this.#inFlight += 1;
    let counted = true;
    const landed = (): void => {
      if (counted) this.#landed();
      counted = false;
    };
    void this.#write(items, landed).finally(landed);
    this.#schedule();
  }

  #landed(): void {
    this.#inFlight -= 1;
    this.#schedule();
  }
}
