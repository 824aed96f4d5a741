import type { Clock } from '@messaging-gateway/runtime';

/** One try. It never rejects; a number asks for another try after so many milliseconds. */
export type Work = () => Promise<number | undefined>;

interface Piece {
  readonly work: Work;
  running: boolean;
  /** After a failure: another try is wanted after so many milliseconds. */
  wait: number | undefined;
}

/** The pieces of one key that are not done, in their order. */
interface Line {
  readonly pieces: Piece[];
  running: number;
  /** One failed: no other is begun before it is through. */
  held: boolean;
  isReady: boolean;
}

/**
 * Runs pieces of work in order per key, and different keys at the same time up to a limit, each in its turn. It is the key
 * that waits for another try, not the piece: nothing behind a piece that failed is begun before that is through.
 */
export class KeyedWork {
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #perKey: number;
  readonly #lines = new Map<string, Line>();
  readonly #parked = new Map<string, () => void>();
  #ready: string[] = [];
  #active = 0;
  #stopped = false;
  #finished: (() => void)[] = [];

  /** @param perKey pieces of one key under way at the same time, at most; they are begun in their order */
  constructor(concurrency: number, clock: Clock, perKey = 1) {
    this.#concurrency = concurrency;
    this.#clock = clock;
    this.#perKey = perKey;
  }

  add(key: string, work: Work): void {
    if (this.#stopped) return;
    const line = this.#lines.get(key) ?? { pieces: [], running: 0, held: false, isReady: false };
    this.#lines.set(key, line);
    line.pieces.push({ work, running: false, wait: undefined });
    this.#callUp(key, line);
    this.#startMore();
  }

  /** Pieces of a key that are not done. */
  left(key: string): number {
    return this.#lines.get(key)?.pieces.length ?? 0;
  }

  /** Gives the keys that wait for another try that try now. */
  hurry(): void {
    for (const key of this.#parked.keys()) this.#unpark(key);
    this.#startMore();
  }

  /** Begins nothing more; resolves when what is running has finished. The rest is let go. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready = [];
    for (const cancel of this.#parked.values()) cancel();
    this.#parked.clear();
    if (this.#active > 0) await new Promise<void>((resolve) => this.#finished.push(resolve));
  }

  /** Puts a key in line, unless it is there, when one more of its pieces may begin. */
  #callUp(key: string, line: Line): void {
    if (line.isReady || !this.#mayBegin(key, line)) return;
    line.isReady = true;
    this.#ready.push(key);
  }

  #mayBegin(key: string, { held, running, pieces }: Line): boolean {
    return !this.#parked.has(key) && running < (held ? 1 : this.#perKey) && running < pieces.length;
  }

  #startMore(): void {
    while (this.#active < this.#concurrency) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      const line = this.#lines.get(key) as Line;
      line.isReady = false;
      // One of its pieces may have failed since it was called up.
      if (this.#mayBegin(key, line)) void this.#run(key, line, line.pieces.find((one) => !one.running) as Piece);
    }
  }

  async #run(key: string, line: Line, piece: Piece): Promise<void> {
    this.#active += 1;
    line.running += 1;
    piece.running = true;
    // One piece, then back to the end of the line: a busy key does not keep others out.
    this.#callUp(key, line);
    piece.wait = await piece.work();
    piece.running = false;
    line.running -= 1;
    this.#active -= 1;
    if (this.#stopped) {
      if (this.#active === 0) for (const resolve of this.#finished.splice(0)) resolve();
      return;
    }
    if (piece.wait === undefined) line.pieces.splice(line.pieces.indexOf(piece), 1);
    else line.held = true;
    this.#goOn(key, line);
    this.#startMore();
  }

  #goOn(key: string, line: Line): void {
    if (line.held && line.running > 0) return;
    const [first] = line.pieces;
    if (first === undefined) {
      this.#lines.delete(key);
      return;
    }
    const { wait } = first;
    line.held = wait !== undefined;
    if (wait !== undefined) this.#park(key, wait);
    this.#callUp(key, line);
  }

  #park(key: string, ms: number): void {
    const cancel = this.#clock.at(this.#clock.now() + ms, () => {
      this.#unpark(key);
      this.#startMore();
    });
    this.#parked.set(key, cancel);
  }

  #unpark(key: string): void {
    this.#parked.get(key)?.();
    this.#parked.delete(key);
    const line = this.#lines.get(key) as Line;
    // The first is tried alone; once it is through, the others that failed with it need not wait.
    for (const piece of line.pieces) piece.wait = undefined;
    this.#callUp(key, line);
  }
}
