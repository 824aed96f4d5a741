import { setImmediate as turn } from 'node:timers/promises';
import type { SignalDataTypeMap } from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../session-data/session-data-store.ts';
import { Recent } from '../../session-data/recent.ts';
import { hasBundle, unbundle } from './pre-key-bundle.ts';
import { decodeValue, encodeValue, readableValue } from './signal-values.ts';

/** The client library's types of keys, and some of our own. */
export type ValueType =
  | keyof SignalDataTypeMap
  | 'user-devices'
  | 'credentials'
  | 'groups'
  | 'group-names'
  | 'groups-read'
  | 'first-messages'
  | 'spent-sender-keys';
export type Values = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** What is written together with an operation; asked for in the same turn as the commit. */
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
        return { room: 'signal' as const, id: name, value: valueOf(type, value) };
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
