import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import { open, type RootDatabase } from 'lmdb';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import { GroupCommit, type Write } from './group-commit.ts';
import { keyMaker, newKeySecret, profileBytes, type KeyMaker } from './lmdb-keys.ts';
import { LmdbSessionData } from './lmdb-session-data.ts';
import { rooms, StaleEpoch, type Room, type SessionData, type SessionDataStore } from './session-data-store.ts';

export interface LmdbOptions {
  readonly directory: string;
  readonly encryption: EncryptionKeys;
  /** Told of each commit: how long it took, milliseconds, and how many callers shared it. */
  readonly onCommit?: (milliseconds: number, writers: number) => void;
}

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
    return new LmdbStore(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class LmdbStore implements SessionDataStore {
  readonly #options: LmdbOptions;
  readonly #lock: DirectoryLock;
  readonly #database: RootDatabase<Buffer, Buffer>;
  readonly #commits: GroupCommit;
  readonly #keys: KeyMaker;
  readonly #epochs = new Map<string, number>();

  constructor(options: LmdbOptions, lock: DirectoryLock) {
    this.#options = options;
    this.#lock = lock;
    const path = join(options.directory, 'session-data.mdb');
    // Synchronous commits: a commit is on the disk when its promise resolves. Batches are made by GroupCommit.
    const opened = { encoding: 'binary', keyEncoding: 'binary', overlappingSync: false, eventTurnBatching: false, commitDelay: 0 } as const;
    this.#database = open<Buffer, Buffer>({ path, noSubdir: true, permissionsMode: 0o600, ...opened } as Parameters<typeof open>[0]) as RootDatabase<Buffer, Buffer>;
    for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);
    this.#commits = new GroupCommit(this.#database, options.onCommit ?? (() => undefined));
    this.#keys = keyMaker(this.#keySecret());
  }

  async open(profileId: string, epoch: number): Promise<SessionData> {
    const stored = this.#database.get(epochRow(profileId));
    const newest = Math.max(this.#epochs.get(profileId) ?? 0, stored === undefined ? 0 : Number(stored.toString()));
    if (newest > epoch) throw new StaleEpoch(profileId);
    this.#epochs.set(profileId, epoch);
    const check = (): void => {
      if (this.#epochs.get(profileId) !== epoch) throw new StaleEpoch(profileId);
    };
    await this.#commits.add([{ key: epochRow(profileId), value: Buffer.from(String(epoch)) }], check);
    const { encryption } = this.#options;
    return new LmdbSessionData({ profileId, epoch, database: this.#database, keys: this.#keys, encryption, write: (writes, patienceMs) => this.#commits.add(writes, check, patienceMs) });
  }

  async erase(profileId: string, only: readonly Room[] = rooms): Promise<void> {
    for (const room of only) {
      const writes: Write[] = [...this.#database.getKeys(this.#keys.range(profileId, room, ''))].map((key) => ({ key, value: undefined }));
      for (let from = 0; from < writes.length; from += 200) {
        await this.#commits.add(writes.slice(from, from + 200), () => undefined);
        await turn();
      }
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
    await this.#lock.release();
  }

  /** The secret that hides ids: made once, sealed, so that the encryption key can be rotated. */
  #keySecret(): Buffer {
    const sealed = this.#database.get(keySecretRow);
    if (sealed !== undefined) return this.#options.encryption.open(sealed, 'session-data key-secret');
    const secret = newKeySecret();
    this.#database.putSync(keySecretRow, this.#options.encryption.seal(secret, 'session-data key-secret'));
    return secret;
  }
}
