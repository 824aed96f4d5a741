import type { Database } from 'lmdb';
import { pageBytes, type DiskReserve } from './disk-reserve.ts';
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

/** Callers in one commit. */
const atOnce = 64;
/** Depth of the tree and a split on the way. */
const pathPages = 7;
/** The database's own lists of free pages. */
const ownPages = 32;

/**
 * One commit over all sockets of the process: what is handed in while one commit runs goes into the next.
 * It starts a turn of the event loop later, so that the ratchets of one message go together.
 */
export class GroupCommit {
  readonly #database: Database<Buffer, Buffer>;
  readonly #reserve: DiskReserve;
  readonly #onCommit: (milliseconds: number, writers: number) => void;
  #waiting: Waiting[] = [];
  #running = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    database: Database<Buffer, Buffer>,
    reserve: DiskReserve,
    onCommit: (milliseconds: number, writers: number) => void,
  ) {
    this.#database = database;
    this.#reserve = reserve;
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
      const group = this.#waiting.splice(0, atOnce);
      await this.#write(group.filter((waiting) => mayWrite(waiting)));
    }
    this.#running = false;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    const started = performance.now();
    try {
      await this.#reserve.take(growthOf(group));
      await this.#database.batch(() => {
        for (const { writes } of group)
          for (const { key, value } of writes)
            void (value === undefined ? this.#database.remove(key) : this.#database.put(key, value));
      });
      this.#onCommit(performance.now() - started, group.length);
      for (const { resolve } of group) resolve();
    } catch (error) {
      const cause = await causeOf(error);
      for (const { reject } of group)
        reject(
          cause instanceof SessionDataUnavailable
            ? cause
            : new SessionDataUnavailable('The session data cannot be written.', { cause }),
        );
    }
  }
}

/** The most by which the file can grow: the pages of each value, and those on the way to it, all copied. */
function growthOf(group: readonly Waiting[]): number {
  const pages = group
    .flatMap(({ writes }) => writes)
    .reduce((sum, { value }) => sum + pathPages + Math.ceil((value?.length ?? 0) / pageBytes), ownPages);
  return pages * pageBytes;
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
