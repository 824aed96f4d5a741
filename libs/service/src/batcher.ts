import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable, Unavailable } from '@messaging-gateway/runtime';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes several items with one statement; the results stand in the order of the items. */
export type Write<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/**
 * Group commit of items: gathers them and writes them together, one write at a time: at once when idle, else with all that came meanwhile.
 * With a rest, writes begin that far apart at least, unless there is a full one to write.
 * When a batch fails for another reason than an absent database, each of its items is written alone, so that one that
 * cannot be written fails alone. Where items have keys, those behind it with its key are refused as well: `Unavailable`, so
 * that they can be handed in again in their order.
 */
export class Batcher<Item, Result> {
  readonly #write: Write<Item, Result>;
  readonly #limit: number;
  readonly #restAfter: (items: number) => number;
  readonly #keyOf: ((item: Item) => string) | undefined;
  #begunAt = -Infinity;
  /** Items of the last write. */
  #written = 0;
  #waiting: Waiting<Item, Result>[] = [];
  /** Ends the rest. */
  #isFull: (() => void) | undefined;
  #running: Promise<void> | undefined;

  /**
   * @param limit items in one write, at most
   * @param rest from the beginning of one write to that of the next, at least, milliseconds; or that by how many items the one had. A full write waits for nothing
   * @param keyOf items with the same key are written in their order, or not at all
   */
  constructor(
    write: Write<Item, Result>,
    limit: number,
    rest: number | ((items: number) => number) = 0,
    keyOf?: (item: Item) => string,
  ) {
    this.#write = write;
    this.#limit = limit;
    this.#restAfter = typeof rest === 'number' ? () => rest : rest;
    this.#keyOf = keyOf;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= this.#limit) this.#isFull?.();
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything that was added has been written or refused. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // What arrives in the same turn of the event loop shares a write, as does what follows on the write before.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#rest();
      this.#begunAt = performance.now();
      const batch = this.#waiting.splice(0, this.#limit);
      this.#written = batch.length;
      await this.#settle(batch);
    }
    // In the same moment as the last look: whatever is added next begins a run of its own.
    this.#running = undefined;
  }

  async #rest(): Promise<void> {
    const rest = this.#begunAt + this.#restAfter(this.#written) - performance.now();
    if (rest <= 0 || this.#waiting.length >= this.#limit) return;
    const full = new AbortController();
    this.#isFull = () => full.abort();
    await delay(rest, undefined, { signal: full.signal }).catch(() => undefined);
    this.#isFull = undefined;
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const refused = await this.#tryAll(batch);
    if (refused === undefined) return;
    if (batch.length === 1 || isUnavailable(refused)) {
      this.#refuse(batch, refused);
      return;
    }
    let left = [...batch];
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const error = await this.#tryAll([one]);
      if (error !== undefined) left = this.#refuse([one], error, left);
    }
  }

  /** @returns why they were not written */
  async #tryAll(batch: readonly Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      return undefined;
    } catch (error) {
      return error ?? new Error('Not written.');
    }
  }

  /** @returns what is left of those behind them */
  #refuse(
    refused: readonly Waiting<Item, Result>[],
    error: unknown,
    behind: Waiting<Item, Result>[] = [],
  ): Waiting<Item, Result>[] {
    for (const { reject } of refused) reject(error);
    const keyOf = this.#keyOf;
    if (keyOf === undefined) return behind;
    const keys = new Set(refused.map(({ item }) => keyOf(item)));
    const isFree = ({ item, reject }: Waiting<Item, Result>): boolean => {
      const isHeld = keys.has(keyOf(item));
      if (isHeld) reject(new Unavailable('What stands before it was not written.', { cause: error }));
      return !isHeld;
    };
    this.#waiting = this.#waiting.filter(isFree);
    return behind.filter(isFree);
  }
}
