import type { KnownState } from './stream-type.ts';
import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { EventStore } from './event-store.ts';
import { inSchema } from './journal-migration.ts';
import type { StateLoader } from './load-states.ts';
import { entriesOf, storedColumns, type StoredRow } from './stored-rows.ts';
import type { StreamCatalogue } from './stream-catalogue.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable } from './unreadable.ts';

/** Weight of all states of a cache together, at most, by default: about the characters in them. */
const mostWeight = 128 * 2 ** 20;
/** A command on its way when a subject was erased still carries its data: so long it is kept out, milliseconds. */
const keptOutMs = 600_000;

interface Kept {
  readonly known: KnownState;
  readonly weight: number;
}

/**
 * The states of the streams used last, so that their next command needs no load. Both their number and what they hold
 * together are bounded: a tenant can make streams of many megabytes.
 */
export class StateCache {
  readonly #capacity: number;
  readonly #mostWeight: number;
  readonly #kept = new Map<string, Kept>();
  readonly #erased = new Map<string, number>();
  #weight = 0;

  constructor(capacity: number, most = mostWeight) {
    this.#capacity = capacity;
    this.#mostWeight = most;
  }

  get(stream: string): KnownState | undefined {
    const kept = this.#kept.get(stream);
    if (kept === undefined) return undefined;
    this.#kept.delete(stream);
    this.#kept.set(stream, kept);
    return kept.known;
  }

  set(stream: string, known: KnownState): void {
    this.drop(stream);
    if (this.#erased.size > 0 && this.#holdsErased(known)) return;
    const weight = weightOf(known.state);
    if (weight > this.#mostWeight) return;
    this.#kept.set(stream, { known, weight });
    this.#weight += weight;
    while (this.#kept.size > this.#capacity || this.#weight > this.#mostWeight)
      this.drop(this.#kept.keys().next().value as string);
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }

  /** Drops every state that holds data of the subject. */
  forget(subject: string): void {
    for (const [stream, { known }] of this.#kept) if (known.subjects.has(subject)) this.drop(stream);
    const now = performance.now();
    this.#erased.set(subject, now);
    for (const [other, since] of this.#erased) if (since < now - keptOutMs) this.#erased.delete(other);
  }

  drop(stream: string): void {
    this.#weight -= this.#kept.get(stream)?.weight ?? 0;
    this.#kept.delete(stream);
  }

  #holdsErased(known: KnownState): boolean {
    for (const subject of known.subjects) if (this.#erased.has(subject)) return true;
    return false;
  }
}

/** About what a value takes in memory: its texts, and a little for each part. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + weightOf(part), 32);
}

interface StoredStreamsOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly loader: StateLoader;
  readonly cache: StateCache;
  readonly keys: SubjectKeys;
  readonly catalogue: StreamCatalogue;
}

const readText = `SELECT ${storedColumns('e')} FROM {schema}.events e WHERE e.stream = $1 AND e.version > $2 ORDER BY e.version`;

export const streamName = (type: string, id: string): string => `${type}-${id}`;

/** Questions about single streams. */
export function storedStreams({
  pool,
  schema,
  loader,
  cache,
  keys,
  catalogue,
}: StoredStreamsOptions): Pick<EventStore, 'load' | 'read'> {
  return {
    load: async (type, id) => {
      const stream = streamName(type.name, id);
      await keys.notice();
      const known = cache.get(stream);
      const [loaded] = await loader.load([{ stream, type, known }]);
      // Unless it was written or loaded meanwhile.
      const isPresent = cache.get(stream) === known;
      if (loaded === undefined || loaded.version === 0) {
        if (isPresent) cache.drop(stream);
        return { state: type.decider.initial, version: 0 };
      }
      if (isPresent && known?.appendId !== loaded.appendId) cache.set(stream, loaded);
      return { state: loaded.state as typeof type.decider.initial, version: loaded.version };
    },
    read: async (type, id, afterVersion = 0) => {
      try {
        await keys.notice();
        const values = [streamName(type.name, id), afterVersion];
        const { rows } = await pool.query<StoredRow>({ name: 'read_stream', text: inSchema(readText, schema), values });
        return allReadable(await entriesOf(rows, catalogue, keys));
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}
