import { Recent } from '@messaging-gateway/runtime';
import { setImmediate as turn } from 'node:timers/promises';
import {
  BufferJSON,
  jidDecode,
  proto,
  type BinaryNode,
  type KeyPair,
  type PossiblyExtendedCacheStore,
  type SignalDataTypeMap,
} from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import { readableRecord } from './sender-key-record.ts';

/** The client library's types of keys, and some of our own. */
export type ValueType =
  | keyof SignalDataTypeMap
  | 'user-devices'
  | 'credentials'
  | 'groups'
  | 'group-names'
  | 'groups-read'
  | 'first-messages'
  | 'canonical-numbers'
  | 'chat-timers'
  | 'spent-sender-keys';
export type Values = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** Changes that are written together with an operation; asked for in the same turn as the commit. */
export type Addition = () => readonly Change[];

const nothing: Addition = () => [];
/** Read once or in bulk: not worth the memory. */
const uncached = new Set<ValueType>(['pre-key', 'credentials', 'app-state-sync-key', 'app-state-sync-version']);
const bulk = 100;

/**
 * Keys and ratchets of one profile, read through a bounded memory. While an operation runs (`exclusively`), what it
 * sets is staged, so that the caller commits it together with what belongs to it; otherwise a set is committed at once.
 */
export class SignalState {
  readonly #data: SessionData;
  readonly #recent = new Recent<unknown>(2_000);
  #staged: Change[] | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(data: SessionData) {
    this.#data = data;
  }

  async get<Value>(type: ValueType, ids: readonly string[]): Promise<Record<string, Value>> {
    const found: Record<string, Value> = {};
    const missing = ids.filter((id) => {
      if (!this.#recent.has(`${type}/${id}`)) return true;
      const value = this.#recent.get(`${type}/${id}`);
      if (value !== undefined) found[id] = value as Value;
      return false;
    });
    for (let from = 0; from < missing.length; from += bulk) {
      if (from > 0) await turn();
      await this.#load(type, missing.slice(from, from + bulk), found);
    }
    return found;
  }

  /** Committed, or staged for the operation that runs. */
  async set(values: Values): Promise<void> {
    const changes = this.changes(values);
    if (this.#staged !== undefined) this.#staged.push(...changes);
    else await this.#data.commit(changes);
  }

  /** Applies values to the memory and gives the changes that make them last. */
  changes(values: Values): Change[] {
    return Object.entries(values).flatMap(([type, byId]) =>
      Object.entries(byId ?? {}).map(([id, given]) => {
        const value = readableValue(type, given);
        const name = `${type}/${id}`;
        if (!uncached.has(type as ValueType)) this.#recent.set(name, value ?? undefined);
        return { table: 'signal' as const, id: name, value: valueOf(type, value) };
      }),
    );
  }

  /** Whether one-time keys were made ahead. */
  hasBundle(): Promise<boolean> {
    return hasBundle(this.#data);
  }

  commit(changes: readonly Change[]): Promise<void> {
    return this.#data.commit(changes);
  }

  /**
   * Runs one operation on the ratchets at a time. What it sets is handed in for writing together with what `and` adds,
   * before the next operation starts; resolves when that is on the disk.
   *
   * @throws SessionDataUnavailable, StaleEpoch: the result must not be used
   */
  async exclusively<Result>(
    work: () => Promise<Result>,
    and: (result: Result) => Addition | Promise<Addition> = () => nothing,
  ): Promise<Result> {
    const run = this.#last.then(async () => {
      this.#staged = [];
      try {
        const result = await work();
        const added = await and(result);
        return { result, written: this.#data.commit([...this.#staged, ...added()]) };
      } catch (error) {
        // Half an operation leaves nothing in the memory that the disk does not have.
        this.#forget(this.#staged);
        throw error;
      } finally {
        this.#staged = undefined;
      }
    });
    this.#last = run.then(
      ({ written }) => void written.catch(() => undefined),
      () => undefined,
    );
    const { result, written } = await run;
    await written;
    return result;
  }

  async #load(type: ValueType, ids: readonly string[], found: Record<string, unknown>): Promise<void> {
    const values = await this.#data.read(
      'signal',
      ids.map((id) => `${type}/${id}`),
    );
    const absent = type === 'pre-key' ? ids.filter((_, index) => values[index] === undefined) : [];
    if (absent.length > 0) Object.assign(found, await unbundle(this.#data, absent));
    for (const [index, id] of ids.entries()) {
      const bytes = values[index];
      const value = bytes === undefined ? undefined : decodeValue(type, bytes);
      if (!uncached.has(type) && !this.#recent.has(`${type}/${id}`)) this.#recent.set(`${type}/${id}`, value);
      if (value !== undefined && value !== null) found[id] = value;
    }
  }

  #forget(changes: readonly Change[] | undefined): void {
    for (const { id } of changes ?? []) this.#recent.delete(id);
  }
}

/** A used one-time key leaves a mark, since the bundle still holds it. */
function valueOf(type: string, value: unknown): Uint8Array | undefined {
  if (value === null || value === undefined) return type === 'pre-key' ? Buffer.from('null') : undefined;
  return encodeValue(type, value);
}

/**
 * Session data whose reads that fail the session hears of before the library does. The library takes a message whose
 * keys cannot be read for one that nobody can read, and confirms it to the network, which then never delivers it again:
 * so the connection has to be closed first. Writes of the library are watched by `libraryKeys` and `durableRepository`; no
 * message hangs on the others, which may fail when the profile has a new holder: the connection is handed over in its own time.
 */
export function watchedData(data: SessionData, failed: (error: Error) => void): SessionData {
  const read = (...of: Parameters<SessionData['read']>): ReturnType<SessionData['read']> =>
    data.read(...of).catch((error: unknown) => {
      failed(error as Error);
      throw error;
    });
  return {
    profileId: data.profileId,
    epoch: data.epoch,
    isLocal: data.isLocal,
    read,
    scan: (table, after, limit) => data.scan(table, after, limit),
    last: (table) => data.last(table),
    commit: (changes, patienceMs) => data.commit(changes, patienceMs),
    settled: () => data.settled(),
  };
}

/** Keys as the library has them. */
export type LibraryKeys = Pick<SignalState, 'get' | 'set'>;

/**
 * Keys whose writes that fail the session hears of before the library does. Beside the ratchets the library writes down what else
 * it learns of a message: by which names its author is known, or one-time keys with which it asks for it again. When it cannot, it
 * refuses the message, which the network then never delivers again: so the connection has to be closed first.
 */
export const libraryKeys = (state: SignalState, failed: (error: Error) => void): LibraryKeys => ({
  get: (type, ids) => state.get(type, ids),
  set: (values) =>
    state.set(values).catch((error: unknown) => {
      failed(error as Error);
      throw error;
    }),
});

/** Types whose values hold no bytes: written without the slower conversion. */
const plainTypes = new Set(['session', 'lid-mapping', 'device-list', 'sender-key-memory', 'user-devices', 'groups']);

/** A value of the key store as bytes. */
function encodeValue(type: string, value: unknown): Buffer {
  return Buffer.from(plainTypes.has(type) ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer));
}

function decodeValue(type: string, bytes: Buffer): unknown {
  if (plainTypes.has(type)) return JSON.parse(bytes.toString());
  const value: unknown = JSON.parse(bytes.toString(), BufferJSON.reviver);
  return type === 'app-state-sync-key'
    ? proto.Message.AppStateSyncKeyData.fromObject(value as object)
    : readableValue(type, value);
}

/** A value as the library can read it, also of those that it wrote itself. */
const readableValue = (type: string, value: unknown): unknown =>
  type === 'sender-key' && value instanceof Uint8Array ? readableRecord(value) : value;

const bundleId = 'pre-key-bundle/first';
const halfBytes = 32;

/** The one-time keys that were made ahead, with the ids from 1 on, as a single value: one seal instead of 812. */
export const bundled = (pairs: readonly KeyPair[]): Change => ({
  table: 'signal',
  id: bundleId,
  value: Buffer.concat(pairs.flatMap((pair) => [pair.public, pair.private])),
});

const hasBundle = async (data: SessionData): Promise<boolean> =>
  (await data.read('signal', [bundleId]))[0] !== undefined;

/** Values of the bundle, by id. */
async function unbundle(data: SessionData, ids: readonly string[]): Promise<Record<string, KeyPair>> {
  const [bundle] = await data.read('signal', [bundleId]);
  if (bundle === undefined) return {};
  const found = ids.map((id): [string, KeyPair] | undefined => {
    const start = (Number(id) - 1) * 2 * halfBytes;
    const [middle, end] = [start + halfBytes, start + 2 * halfBytes];
    return start < 0 || end > bundle.length
      ? undefined
      : [id, { public: bundle.subarray(start, middle), private: bundle.subarray(middle, end) }];
  });
  return Object.fromEntries(found.filter((entry) => entry !== undefined));
}

interface Known {
  readonly devices: unknown;
  readonly until: number;
}

const keepMs = 24 * 3_600_000;

/** The network says with which devices it compares ours: a contact's are looked up again the next time. */
export function deviceListChanged({ attrs }: BinaryNode, devices: ReturnType<typeof userDevices>): void {
  const user = attrs['phash'] === undefined ? undefined : jidDecode(attrs['from'])?.user;
  if (user !== undefined) void devices.del(user);
}

/**
 * Which devices each contact has, kept over connections and restarts: without it every reconnect makes every contact
 * cold, and a cold one costs two round trips. The network announces changes, which delete the entry.
 */
export function userDevices(
  state: SignalState,
  now: () => number,
): PossiblyExtendedCacheStore & { knows(user: string): Promise<boolean> } {
  const find = async (users: string[]): Promise<Record<string, unknown>> => {
    const known = await state.get<Known>('user-devices', users);
    return Object.fromEntries(
      Object.entries(known)
        .filter(([, { until }]) => until > now())
        .map(([user, { devices }]) => [user, devices]),
    );
  };
  const put = (entries: readonly { key: string; value: unknown }[]): void => {
    const values = Object.fromEntries(
      entries.map(({ key, value }) => [key, { devices: value, until: now() + keepMs }]),
    );
    // Losing this costs a lookup: nobody waits for the disk.
    state.set({ 'user-devices': values }).catch(() => undefined);
  };
  return {
    knows: async (user) => user in (await find([user])),
    get: async <T>(user: string) => (await find([user]))[user] as T,
    mget: async <T>(users: string[]) => (await find(users)) as Record<string, T | undefined>,
    set: (key, value) => put([{ key, value }]),
    mset: (entries) => put(entries),
    del: (key) => void state.set({ 'user-devices': { [key]: null } }).catch(() => undefined),
    flushAll: () => undefined,
  };
}
