import { chmodSync, mkdirSync } from 'node:fs';
import { open as openFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import { open, type Database, type RootDatabase } from 'lmdb';
import { GroupCommit } from '../group-commit.ts';
import {
  SessionDataUnavailable,
  StaleEpoch,
  tables,
  type Erasing,
  type SessionData,
  type SessionDataStore,
  type Table,
} from '../session-data-store.ts';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import {
  keyMaker,
  LmdbSessionData,
  newKeySecret,
  profileBytes,
  profileOf,
  tablesOf,
  type KeyMaker,
  type Write,
} from './lmdb-session-data.ts';

export interface LmdbOptions {
  readonly directory: string;
  readonly encryption: EncryptionKeys;
  /** Told of each commit: how long it took, milliseconds, and how many callers shared it. */
  readonly onCommit?: (milliseconds: number, writers: number) => void;
}

type Commits = GroupCommit<readonly Write[]>;

const epochRow = (profileId: string): Buffer => Buffer.concat([profileBytes(profileId), Buffer.of(0)]);
/** Belongs to no profile: 16 zero bytes first. */
const keySecretRow = Buffer.concat([Buffer.alloc(17), Buffer.from('key-secret')]);

/**
 * Session data in one LMDB environment for all profiles of the process, encrypted, owner-only files.
 *
 * @throws DirectoryInUse when another process works in the directory
 * @see docs/decisions/0180-session-data-in-lmdb.md
 */
export async function openLmdbStore(options: LmdbOptions): Promise<SessionDataStore> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  chmodSync(options.directory, 0o700);
  const lock = await lockDirectory(options.directory);
  try {
    const database = openDatabase(options.directory);
    const usedBytes = (): number =>
      ((database.getStats() as { lastPageNumber: number }).lastPageNumber + 1) * pageBytes;
    const reserve = await DiskReserve.open(pathIn(options.directory), usedBytes);
    const commits: Commits = new GroupCommit({
      atOnce: 64,
      write: lmdbWriter(database, reserve),
      onCommit: options.onCommit ?? (() => undefined),
    });
    return new LmdbStore({
      options,
      lock,
      database,
      reserve,
      commits,
      keys: keyMaker(await keySecret(database, commits, options.encryption)),
    });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

const pathIn = (directory: string): string => join(directory, 'session-data.mdb');

function openDatabase(directory: string): RootDatabase<Buffer, Buffer> {
  const path = pathIn(directory);
  // Synchronous commits: a commit is on the disk when its promise resolves. Batches are made by GroupCommit.
  const opened = {
    encoding: 'binary',
    keyEncoding: 'binary',
    pageSize: pageBytes,
    overlappingSync: false,
    eventTurnBatching: false,
    commitDelay: 0,
  } as const;
  const database = open<Buffer, Buffer>({ path, noSubdir: true, permissionsMode: 0o600, ...opened } as Parameters<
    typeof open
  >[0]);
  for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);
  return database;
}

/** The secret that hides ids: made once, sealed, so that the encryption key can be rotated. */
async function keySecret(
  database: RootDatabase<Buffer, Buffer>,
  commits: Commits,
  encryption: EncryptionKeys,
): Promise<Buffer> {
  const sealed = database.get(keySecretRow);
  if (sealed !== undefined) return encryption.open(sealed, 'session-data key-secret');
  const secret = newKeySecret();
  await commits.add(
    [{ key: keySecretRow, value: encryption.seal(secret, 'session-data key-secret') }],
    () => undefined,
  );
  return secret;
}

interface Parts {
  readonly options: LmdbOptions;
  readonly lock: DirectoryLock;
  readonly database: RootDatabase<Buffer, Buffer>;
  readonly reserve: DiskReserve;
  readonly commits: Commits;
  readonly keys: KeyMaker;
}

class LmdbStore implements SessionDataStore {
  readonly #parts: Parts;
  readonly #epochs = new Map<string, number>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open(profileId: string, epoch: number): Promise<SessionData> {
    this.#assertOpen();
    const {
      database,
      commits,
      keys,
      options: { encryption },
    } = this.#parts;
    if (this.#newestEpoch(profileId) > epoch) throw new StaleEpoch(profileId);
    this.#epochs.set(profileId, epoch);
    const check = (): void => {
      this.#assertOpen();
      if (this.#epochs.get(profileId) !== epoch) throw new StaleEpoch(profileId);
    };
    await commits.add([{ key: epochRow(profileId), value: Buffer.from(String(epoch)) }], check);
    const assertOpen = (): void => this.#assertOpen();
    return new LmdbSessionData({
      profileId,
      epoch,
      database,
      keys,
      encryption,
      assertOpen,
      write: (writes, assertWhole, patienceMs) => {
        const mayWrite = (): void => {
          check();
          assertWhole();
        };
        return commits.add(writes, mayWrite, patienceMs);
      },
    });
  }

  async holding(profileIds: readonly string[], table: Table): Promise<string[]> {
    this.#assertOpen();
    return profileIds.filter((profileId) => this.#hasAny(this.#parts.keys.range(profileId, table, '')));
  }

  async profiles(): Promise<string[]> {
    const found: string[] = [];
    for (let start: Buffer = Buffer.of(0); ;) {
      this.#assertOpen();
      const [key] = [...this.#parts.database.getKeys({ start, limit: 1 })];
      if (key === undefined) return found;
      const profileId = profileOf(key);
      const tables = tablesOf(profileId);
      if (this.#hasAny(tables)) found.push(profileId);
      start = tables.end;
      await turn();
    }
  }

  async erase(profileId: string, { only = tables, epoch }: Erasing = {}): Promise<void> {
    const check = (): void => {
      this.#assertOpen();
      if (epoch !== undefined && this.#newestEpoch(profileId) !== epoch) throw new StaleEpoch(profileId);
    };
    check();
    const { database, commits, keys } = this.#parts;
    for (const table of only) {
      const writes: Write[] = [...database.getKeys(keys.range(profileId, table, ''))].map((key) => ({
        key,
        value: undefined,
      }));
      for (let from = 0; from < writes.length; from += 200) {
        await commits.add(writes.slice(from, from + 200), check);
        await turn();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // The database ends its read transaction on a timer of its own and throws when it was closed before that.
    await sleep(10);
    await this.#parts.database.close();
    await this.#parts.reserve.close();
    await this.#parts.lock.release();
  }

  #newestEpoch(profileId: string): number {
    const stored = this.#parts.database.get(epochRow(profileId));
    return Math.max(this.#epochs.get(profileId) ?? 0, stored === undefined ? 0 : Number(stored.toString()));
  }

  #hasAny(range: { start: Buffer; end: Buffer }): boolean {
    return [...this.#parts.database.getKeys({ ...range, limit: 1 })].length > 0;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new SessionDataUnavailable('The session data is closed.');
  }
}

/** Depth of the tree and a split on the way. */
const pathPages = 7;
/** The database's own lists of free pages. */
const ownPages = 32;

/** Writes groups into the environment, all or nothing. @throws SessionDataUnavailable */
const lmdbWriter =
  (database: Database<Buffer, Buffer>, reserve: DiskReserve) =>
  async (group: readonly (readonly Write[])[]): Promise<[]> => {
    try {
      await reserve.take(growthOf(group));
      await database.batch(() => {
        for (const { key, value } of group.flat())
          void (value === undefined ? database.remove(key) : database.put(key, value));
      });
      return [];
    } catch (error) {
      const cause = await causeOf(error);
      if (cause instanceof SessionDataUnavailable) throw cause;
      throw new SessionDataUnavailable('The session data cannot be written.', { cause });
    }
  };

/** The most by which the file can grow: the pages of each value, and those on the way to it, all copied. */
function growthOf(group: readonly (readonly Write[])[]): number {
  const pages = group
    .flat()
    .reduce((sum, { value }) => sum + pathPages + Math.ceil((value?.length ?? 0) / pageBytes), ownPages);
  return pages * pageBytes;
}

/** The database hides the reason of a failed commit in a promise that must be taken care of. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<unknown> };
  return commitError === undefined ? error : commitError.catch((reason: unknown) => reason);
}

const pageBytes = 4096;
const stepBytes = 4 * 1024 * 1024;
const zeros = Buffer.alloc(256 * 1024);

/**
 * Keeps space in the database file, written ahead with zeros, for everything that the next commit can need. LMDB's
 * native code must never meet a full disk: in version 3.5.6 it writes past a buffer when it reports that, which ends
 * the process. A full disk shows here instead, before anything is handed to it.
 */
class DiskReserve {
  readonly #file: FileHandle;
  readonly #usedBytes: () => number;
  #allocated: number;
  /** Bytes that are surely free for the next commits. */
  #left = 0;

  private constructor(file: FileHandle, allocated: number, usedBytes: () => number) {
    this.#file = file;
    this.#allocated = allocated;
    this.#usedBytes = usedBytes;
  }

  /** @param usedBytes how much of the file the database uses now */
  static async open(path: string, usedBytes: () => number): Promise<DiskReserve> {
    const file = await openFile(path, 'r+');
    // What lies beyond the used part may be a hole that a crash left: it is written anew.
    return new DiskReserve(file, usedBytes(), usedBytes);
  }

  /** Takes so many bytes for a commit. @throws SessionDataUnavailable when the disk has no space for them */
  async take(bytes: number): Promise<void> {
    if (this.#left < bytes) this.#left = this.#allocated - this.#usedBytes();
    if (this.#left < bytes) await this.#extend(bytes);
    this.#left -= bytes;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #extend(bytes: number): Promise<void> {
    const goal = this.#usedBytes() + Math.max(stepBytes, bytes);
    try {
      while (this.#allocated < goal) {
        const { bytesWritten } = await this.#file.write(
          zeros,
          0,
          Math.min(zeros.length, goal - this.#allocated),
          this.#allocated,
        );
        this.#allocated += bytesWritten;
      }
    } catch (error) {
      this.#left = this.#allocated - this.#usedBytes();
      if (this.#left < bytes)
        throw new SessionDataUnavailable('There is no room on the disk for session data.', { cause: error });
      return;
    }
    this.#left = this.#allocated - this.#usedBytes();
  }
}
