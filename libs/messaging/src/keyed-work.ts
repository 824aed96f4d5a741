import type { Clock } from '@messaging-gateway/runtime';

/** One try. It never rejects; a number asks for another try after so many milliseconds. */
export type Work = () => Promise<number | undefined>;

/**
 * Runs pieces of work in order per key, and different keys at the same time up to a limit. A piece that waits for
 * another try holds up its own key only.
 */
export class KeyedWork {
  readonly #concurrency: number;
  readonly #clock: Clock;
  readonly #queues = new Map<string, Work[]>();
  readonly #parked = new Set<() => void>();
  #ready: string[] = [];
  #active = 0;
  #stopped = false;
  #finished: (() => void)[] = [];

  constructor(concurrency: number, clock: Clock) {
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  add(key: string, work: Work): void {
    if (this.#stopped) return;
    const queue = this.#queues.get(key);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#queues.set(key, [work]);
    this.#ready.push(key);
    this.#startMore();
  }

  /** Begins nothing more; resolves when what is running has finished. The rest is let go. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready = [];
    for (const cancel of this.#parked) cancel();
    this.#parked.clear();
    if (this.#active > 0) await new Promise<void>((resolve) => this.#finished.push(resolve));
  }

  #startMore(): void {
    while (this.#active < this.#concurrency) {
      const key = this.#ready.shift();
      if (key === undefined) return;
      this.#active += 1;
      void this.#run(key, this.#queues.get(key) ?? []);
    }
  }

  /** One piece, then back to the end of the line: a busy key does not keep others out. */
  async #run(key: string, queue: Work[]): Promise<void> {
    const again = await queue[0]?.();
    this.#active -= 1;
    if (this.#stopped) {
      if (this.#active === 0) for (const resolve of this.#finished.splice(0)) resolve();
      return;
    }
    if (again !== undefined) this.#park(key, again);
    else if (queue.length === 1) this.#queues.delete(key);
    else this.#ready.push(key);
    if (again === undefined) queue.shift();
    this.#startMore();
  }

  #park(key: string, ms: number): void {
    const cancel = this.#clock.at(this.#clock.now() + ms, () => {
      this.#parked.delete(cancel);
      this.#ready.push(key);
      this.#startMore();
    });
    this.#parked.add(cancel);
  }
}
