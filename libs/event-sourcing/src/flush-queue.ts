/** Statements on their way at the same time. */
const inFlightLimit = 3;
/** Items for one statement, at most. */
const batchLimit = 64;
/** Under load items wait so long for company, milliseconds. */
const gatherMs = 2;

/**
 * Group commit: hands items on at once while nothing is on its way, and in batches under load.
 * @param write handles one batch; never rejects
 */
export class FlushQueue<Item> {
  readonly #write: (items: Item[]) => Promise<void>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(write: (items: Item[]) => Promise<void>) {
    this.#write = write;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#schedule();
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async settled(): Promise<void> {
    if (this.#inFlight === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
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
    void this.#write(items).finally(() => this.#landed());
    this.#schedule();
  }

  #landed(): void {
    this.#inFlight -= 1;
    this.#schedule();
    if (this.#inFlight > 0 || this.#waiting.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
