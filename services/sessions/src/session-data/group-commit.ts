import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Histogram } from 'prom-client';

/** The work that one caller wants written. */
interface Waiting<Work> {
  readonly work: Work;
  /** Asked right before writing. @throws when it must not be written any more */
  readonly check: () => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface GroupCommitParts<Work> {
  /** Callers in one commit, at most. */
  readonly atOnce: number;
  /**
   * Writes all of it in one transaction, in this order; on the disk when it resolves.
   *
   * @returns for each work the reason why it was left out, or nothing
   * @throws when nothing was written
   */
  readonly write: (works: readonly Work[]) => Promise<readonly (Error | undefined)[]>;
  /** Told of each commit: how long it took, milliseconds, and how many callers shared it. */
  readonly onCommit: (milliseconds: number, writers: number) => void;
}

/**
 * One commit over all sockets of the process: what is handed in while one commit runs goes into the next.
 * It starts a turn of the event loop later, so that the ratchets of one message go together.
 */
export class GroupCommit<Work> {
  readonly #parts: GroupCommitParts<Work>;
  #waiting: Waiting<Work>[] = [];
  #running = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: GroupCommitParts<Work>) {
    this.#parts = parts;
  }

  /**
   * On the disk when it resolves.
   *
   * @param patienceMs how long it may wait for others to go with; goes with the next commit in any case
   * @throws what `write` or `check` throws
   */
  add(work: Work, check: () => void, patienceMs = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, check, resolve, reject });
      if (this.#running) return;
      if (patienceMs > 0) this.#timer ??= setTimeout(() => this.#start(), patienceMs);
      else this.#start();
    });
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#parts.atOnce);
      await this.#write(group.filter((waiting) => mayWrite(waiting)));
    }
    this.#running = false;
  }

  async #write(group: readonly Waiting<Work>[]): Promise<void> {
    if (group.length === 0) return;
    const started = performance.now();
    try {
      const leftOut = await this.#parts.write(group.map(({ work }) => work));
      this.#parts.onCommit(performance.now() - started, group.length);
      for (const [index, { resolve, reject }] of group.entries()) {
        const reason = leftOut[index];
        if (reason === undefined) resolve();
        else reject(reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error as Error);
    }
  }
}

function mayWrite<Work>(waiting: Waiting<Work>): boolean {
  try {
    waiting.check();
    return true;
  } catch (error) {
    waiting.reject(error as Error);
    return false;
  }
}

/** A value under the name of its key. */
export interface NamedValue {
  readonly name: string;
  readonly value: Buffer | undefined;
}

/** Writes of one profile that are on their way: reads see them, and what depends on a write that failed is not written after it. */
export class PendingWrites {
  /** By the name of the key; the newest wins. */
  readonly #pending = new Map<string, NamedValue>();
  readonly #running = new Set<Promise<unknown>>();
  #broken: Error | undefined;

  /** The value that is being written under a name, if any is. */
  of(name: string): NamedValue | undefined {
    return this.#pending.size === 0 ? undefined : this.#pending.get(name);
  }

  /** @throws what made the first write fail */
  assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Shows the values to readers until `write` has settled. */
  async during(values: readonly NamedValue[], write: () => Promise<void>): Promise<void> {
    this.assertWhole();
    for (const value of values) this.#pending.set(value.name, value);
    const running = write();
    this.#running.add(running);
    try {
      await running;
    } catch (error) {
      this.#broken ??= error as Error;
      throw error;
    } finally {
      this.#running.delete(running);
      for (const value of values) if (this.#pending.get(value.name) === value) this.#pending.delete(value.name);
    }
    this.assertWhole();
  }

  /** Resolves when everything handed in so far is written or has failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

/** Measures commits of session data. @returns notes one: how long it took, and how many callers shared it */
export function commitMetrics(registry: Metrics): (milliseconds: number, writers: number) => void {
  const registers = [registry];
  for (const name of ['sessions_commit_seconds', 'sessions_commit_writers_total']) registry.removeSingleMetric(name);
  const commits = new Histogram({
    name: 'sessions_commit_seconds',
    help: 'Commits of session data',
    buckets: seconds,
    registers,
  });
  const writers = new Counter({
    name: 'sessions_commit_writers_total',
    help: 'Callers whose changes were committed',
    registers,
  });
  return (milliseconds, callers) => {
    commits.observe(milliseconds / 1000);
    writers.inc(callers);
  };
}
