/** Items for one statement, at most. */
const batchLimit = 64;
/** Statements on their way at the same time, at most. */
const inFlightLimit = 3;
/** Items that come while a statement is on its way wait for its end, or so long when that one is slow, milliseconds. */
const slowMs = 20;

/**
 * Handles one batch; never rejects. `stuck` gives its place to the next batch while it waits for something else
 * than the load, such as a database that is away.
 */
type WriteBatch<Item> = (items: Item[], stuck: () => void) => Promise<void>;

/**
 * Group commit: one batch at a time, at once when idle, else with all that came meanwhile; so batches grow with the
 * load. Patient items wait for others to go with, and go with the next batch in any case.
 *
 * @see docs/decisions/0446-one-append-at-a-time.md
 */
export class FlushQueue<Item> {
  readonly #write: WriteBatch<Item>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  /** When the last batch began, and when the next one must, milliseconds of the monotonic clock. */
  #begunAt = -Infinity;
  #dueAt = Infinity;
  #soon: NodeJS.Immediate | undefined;
  #later: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;

  constructor(write: WriteBatch<Item>) {
    this.#write = write;
  }

  /** @param patienceMs how long after the last batch it may wait for others, milliseconds */
  add(item: Item, patienceMs = 0): void {
    this.#waiting.push(item);
    this.hurry(patienceMs);
  }

  /** Something that waits has less patience from now on. */
  hurry(patienceMs = 0): void {
    if (this.#waiting.length === 0) return;
    this.#dueAt = Math.min(this.#dueAt, patienceMs === 0 ? -Infinity : this.#begunAt + patienceMs);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#soon !== undefined || this.#inFlight >= inFlightLimit) return;
    const now = performance.now();
    const at = this.#inFlight === 0 ? this.#dueAt : Math.max(this.#dueAt, now + slowMs);
    if (at <= now || this.#waiting.length >= batchLimit) {
      // After the events of this turn, so that what came in together goes out together.
      this.#soon = setImmediate(() => this.#flush());
    } else if (this.#later === undefined || at < this.#later.at) {
      clearTimeout(this.#later?.timer);
      this.#later = { timer: setTimeout(() => this.#flush(), at - now), at };
    }
  }

  #flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later?.timer);
    this.#soon = undefined;
    this.#later = undefined;
    const items = this.#waiting.splice(0, batchLimit);
    if (items.length === 0) return;
    if (this.#waiting.length === 0) this.#dueAt = Infinity;
    this.#begunAt = performance.now();
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
