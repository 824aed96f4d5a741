/** What many events in a row ask for is read once in so long, milliseconds. */
const coalescedMs = 700;

/** Lets things be read again, by their names: those that are asked for in a row together, and not while they are being read again. */
export class Rereading<Name> {
  readonly #read: (names: readonly Name[]) => Promise<unknown>;
  readonly #restMs: number;
  readonly #due = new Set<Name>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #restedAt = 0;

  /** @param restMs so long nothing is read again afterwards: for what may happen every second. Milliseconds */
  constructor(read: (names: readonly Name[]) => Promise<unknown>, restMs = 0) {
    this.#read = read;
    this.#restMs = restMs;
  }

  /** Lets these be read soon; what is asked for while others are being read comes after them. */
  ask(...names: readonly Name[]): void {
    for (const name of names) this.#due.add(name);
    this.#schedule();
  }

  /** Nothing that was asked for is read any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due.clear();
  }

  #schedule(): void {
    if (this.#isReading || this.#due.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#readDue(), Math.max(coalescedMs, this.#restedAt - performance.now()));
  }

  async #readDue(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    const names = [...this.#due];
    this.#due.clear();
    try {
      await this.#read(names);
    } finally {
      this.#restedAt = performance.now() + this.#restMs;
      this.#isReading = false;
      this.#schedule();
    }
  }
}
