import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Database } from 'lmdb';
import type { Write } from './group-commit.ts';
import type { KeyMaker } from './lmdb-keys.ts';
import { SessionDataUnavailable, type Change, type Room, type SessionData, type Stored } from './session-data-store.ts';

interface Parts {
  readonly profileId: string;
  readonly epoch: number;
  readonly database: Database<Buffer, Buffer>;
  readonly keys: KeyMaker;
  readonly encryption: EncryptionKeys;
  /** @throws SessionDataUnavailable */
  readonly assertOpen: () => void;
  readonly write: (writes: readonly Write[], check: () => void, patienceMs: number) => Promise<void>;
}

/** Outcomes by network id: nothing personal, nothing secret, and written twice for each message. */
const plainRooms: ReadonlySet<Room> = new Set(['sent']);

/** One profile's part of the environment. */
export class LmdbSessionData implements SessionData {
  readonly #parts: Parts;
  /** What is being written, by database key in hex: reads see it, and the newest wins. */
  readonly #pending = new Map<string, { readonly value: Buffer | undefined }>();
  #broken: Error | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get profileId(): string {
    return this.#parts.profileId;
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  async read(room: Room, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
    this.#parts.assertOpen();
    return ids.map((id) => {
      const key = this.#parts.keys.key(this.profileId, room, id);
      const pending = this.#pending.size === 0 ? undefined : this.#pending.get(key.toString('latin1'));
      return pending === undefined ? this.#open(room, key, this.#parts.database.get(key)) : pending.value;
    });
  }

  async scan(room: Exclude<Room, 'signal'>, after: string, limit: number): Promise<Stored[]> {
    this.#parts.assertOpen();
    const range = this.#parts.keys.range(this.profileId, room, after);
    return [...this.#parts.database.getRange({ ...range, limit })].map(({ key, value }) => ({
      id: key.subarray(17).toString(),
      value: this.#open(room, key, value) as Buffer,
    }));
  }

  async commit(changes: readonly Change[], patienceMs = 0): Promise<void> {
    this.#assertWhole();
    if (changes.length === 0) return;
    const noted = changes.map(({ room, id, value }) =>
      this.#note(room, this.#parts.keys.key(this.profileId, room, id), value),
    );
    try {
      await this.#parts.write(
        noted.map(({ write }) => write),
        () => this.#assertWhole(),
        patienceMs,
      );
    } catch (error) {
      this.#broken ??= error as Error;
      throw error;
    } finally {
      for (const { name, pending } of noted) if (this.#pending.get(name) === pending) this.#pending.delete(name);
    }
    this.#assertWhole();
  }

  /** What depends on a write that failed must not be written after it. */
  #assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  #note(
    room: Room,
    key: Buffer,
    value: Uint8Array | undefined,
  ): { name: string; pending: { value: Buffer | undefined }; write: Write } {
    const pending = { value: value === undefined ? undefined : Buffer.from(value) };
    const name = key.toString('latin1');
    this.#pending.set(name, pending);
    const sealed =
      pending.value === undefined || plainRooms.has(room)
        ? pending.value
        : this.#parts.encryption.seal(pending.value, name);
    return { name, pending, write: { key, value: sealed } };
  }

  #open(room: Room, key: Buffer, sealed: Buffer | undefined): Buffer | undefined {
    if (sealed === undefined || plainRooms.has(room)) return sealed;
    try {
      return this.#parts.encryption.open(sealed, key.toString('latin1'));
    } catch (error) {
      throw new SessionDataUnavailable('The session data cannot be read.', { cause: error });
    }
  }
}
