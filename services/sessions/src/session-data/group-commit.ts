import type { Database } from 'lmdb';
import { SessionDataUnavailable } from './session-data-store.ts';

export interface Write {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

interface Waiting {
  readonly writes: readonly Write[];
  /** Asked right before writing. @throws when it must not be written any more */
  readonly check: () => void;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * One commit over all sockets of the process: what is handed in while one commit runs goes into the next.
 * It starts a turn of the event loop later, so that the ratchets of one message go together.
 */
export class GroupCommit {
  readonly #database: Database<Buffer, Buffer>;
  readonly #onCommit: (milliseconds: number, writers: number) => void;
  #waiting: Waiting[] = [];
  #running = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database<Buffer, Buffer>, onCommit: (milliseconds: number, writers: number) => void) {
    this.#database = database;
    this.#onCommit = onCommit;
  }

  /**
   * On the disk when it resolves.
   *
   * @param patienceMs how long it may wait for others to go with; goes with the next commit in any case
   * @throws SessionDataUnavailable, or what `check` throws
   */
  add(writes: readonly Write[], check: () => void, patienceMs = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ writes, check, resolve, reject });
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
      const group = this.#waiting.filter((waiting) => mayWrite(waiting));
      this.#waiting = [];
      await this.#write(group);
    }
    this.#running = false;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    const started = performance.now();
    try {
      await this.#database.batch(() => {
        for (const { writes } of group) for (const { key, value } of writes) void (value === undefined ? this.#database.remove(key) : this.#database.put(key, value));
      });
      this.#onCommit(performance.now() - started, group.length);
      for (const { resolve } of group) resolve();
    } catch (error) {
      const cause = await causeOf(error);
      for (const { reject } of group) reject(new SessionDataUnavailable('The session data cannot be written.', { cause }));
    }
  }
}

function mayWrite(waiting: Waiting): boolean {
  try {
    waiting.check();
    return true;
  } catch (error) {
    waiting.reject(error as Error);
    return false;
  }
}

/** The database hides the reason of a failed commit in a promise that must be taken care of. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> };
  return commitError === undefined ? error : commitError.catch((reason: unknown) => reason);
}
