import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '@messaging-gateway/runtime';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes several items with one statement; the results stand in the order of the items. */
export type Write<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Gathers items and writes them together, one write at a time: at once when idle, else with all that came meanwhile.
 * With a rest, writes begin that far apart at least.
 * When a batch fails for another reason than an absent database, each of its items is written alone, so that one that
 * cannot be written fails alone.
 */
export class Gathering<Item, Result> {
  readonly #write: Write<Item, Result>;
  readonly #limit: number;
  readonly #restMs: number;
  #begunAt = -Infinity;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param limit items in one write, at most
   * @param restMs from the beginning of one write to that of the next, at least, milliseconds
   */
  constructor(write: Write<Item, Result>, limit: number, restMs = 0) {
    this.#write = write;
    this.#limit = limit;
    this.#restMs = restMs;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything that was added has been written or refused. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // What arrives in the same turn of the event loop shares the first write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const rest = this.#begunAt + this.#restMs - performance.now();
      if (rest > 0) await delay(rest);
      this.#begunAt = performance.now();
      const batch = this.#waiting.splice(0, this.#limit);
      await this.#settle(batch);
    }
    // In the same moment as the last look: whatever is added next begins a run of its own.
    this.#running = undefined;
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) return batch.forEach(({ reject }) => reject(error));
      for (const one of batch) await this.#settle([one]);
    }
  }
}
