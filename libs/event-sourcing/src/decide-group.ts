import { randomInt } from 'node:crypto';
import { type Clock, databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { DomainEvent } from './decider.ts';
import {
  encodeData,
  keepable,
  keepableMark,
  sealMark,
  storageOf,
  type StoredMetadata,
  type StreamCatalogue,
  subjectOfMark,
} from './event-codec.ts';
import type { EventStore, Handled, HandleOptions } from './event-store.ts';
import type { RecordedEvent } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import type { StateLoader } from './load-states.ts';
import { entriesOf, storedColumns, type StoredRow } from './stored-rows.ts';
import type { KnownState, UntypedStreamType } from './stream-type.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable } from './unreadable.ts';
import type { InlineView } from './view.ts';

/** Commands and events of one group, at most: a long queue of one stream must not hold up the others of the batch. */
const groupLimit = 64;

/** Next step for a stream whose commands wait. */
export type Step =
  /** These commands are settled; `group` is what is to be written. */
  | {
      readonly kind: 'decided';
      readonly settled: readonly Decided[];
      readonly group: Group | undefined;
      readonly taken: number;
    }
  /** Ask the database for the present state first. */
  | { readonly kind: 'load' }
  /** Fetch or make the subject's key first. */
  | { readonly kind: 'key'; readonly subject: string };

export interface DecideTools {
  readonly keys: SubjectKeys;
  readonly views: readonly InlineView[];
  readonly clock: Clock;
  /** Of the journal, see `Group`. */
  readonly generation: number;
}

interface StreamToDecide {
  readonly stream: string;
  readonly type: UntypedStreamType;
  /** Whether an event of the type holds personal data. */
  readonly personal: boolean;
  readonly waiting: readonly PendingCommand[];
  readonly known: KnownState;
  /** So many of them came in before `known` was read. For the others only a successful append proves it true. */
  readonly fresh: number;
  /** Write each command alone. */
  readonly single: boolean;
}

/** Decides waiting commands of a stream, each on top of the ones before it. */
export function decideGroup(todo: StreamToDecide, tools: DecideTools): Step {
  const decided: Decided[] = [];
  let known = todo.known;
  let written = 0;
  for (const pending of todo.waiting.slice(0, groupLimit)) {
    const missing = missingKey(todo, tools.keys, pending);
    if (missing !== undefined) {
      if (decided.length === 0) return { kind: 'key', subject: missing };
      break;
    }
    if (written > 0 && (todo.single || pending.options.guard !== undefined)) break;
    const next = decideOne(todo, tools, pending, known);
    if (next.events.length === 0 && written === 0 && decided.length >= todo.fresh) {
      if (decided.length === 0) return { kind: 'load' };
      break;
    }
    if (!joinable(tools.views, decided, next)) break;
    written += next.events.length;
    decided.push(next);
    known = next.after;
    if (written >= groupLimit || (next.events.length > 0 && pending.options.guard !== undefined)) break;
  }
  return { kind: 'decided', taken: decided.length, ...splitDecided(todo, tools, decided) };
}

/** A subject whose key is needed and not at hand. */
function missingKey(
  { personal }: StreamToDecide,
  keys: SubjectKeys,
  { options: { metadata } }: PendingCommand,
): string | undefined {
  if (personal && !keys.has(metadata.subject)) return metadata.subject;
  const origin = subjectOfMark(metadata);
  return origin === undefined || keys.has(origin) ? undefined : origin;
}

function decideOne(todo: StreamToDecide, tools: DecideTools, pending: PendingCommand, known: KnownState): Decided {
  const nothing: Decided = { pending, events: [], rows: [], after: known };
  if (pending.repeated) return nothing;
  const { decider } = todo.type;
  const { metadata } = pending.options;
  try {
    const events = decider
      .decide(pending.command, known.state)
      .map((event) => keepable(todo.type, event, metadata, tools.keys));
    if (events.length === 0) return nothing;
    const subjects = known.subjects.has(metadata.subject)
      ? known.subjects
      : new Set([...known.subjects, metadata.subject]);
    const appendId = nextAppendId();
    const after = {
      appendId,
      state: events.reduce((state, event) => decider.evolve(state, event), known.state),
      version: known.version + events.length,
      subjects,
    };
    const at = pending.options.at ?? new Date(tools.clock.now());
    const created = events.map((event, index) =>
      newEvent(todo, tools, pending, event, { version: known.version + index + 1, at, appendId }),
    );
    const recorded = created.map((event) => event.recorded);
    return { pending, events: created, rows: rowsOf(tools.views, recorded), after };
  } catch (error) {
    return { ...nothing, thrown: { error } };
  }
}

function newEvent(
  { stream, type }: StreamToDecide,
  { keys }: DecideTools,
  { options }: PendingCommand,
  event: DomainEvent,
  { version, at, appendId }: { version: number; at: Date; appendId: string },
): NewEvent {
  const metadata = keepableMark(options.metadata, keys);
  return {
    recorded: { stream, version, type: event.type, data: event.data as Record<string, unknown>, metadata, at },
    domainEvent: event,
    schemaVersion: storageOf(type, event.type).version,
    stored: encodeData(type, stream, event, metadata, keys),
    storedMetadata: sealMark(metadata, keys),
    appendId,
  };
}

const noRows: readonly object[] = [];

/** Rows that each view makes of those events of one command which it wants. */
export const rowsOf = (
  views: readonly InlineView[],
  events: readonly RecordedEvent[],
): readonly (readonly object[])[] =>
  views.map((view) => {
    const wanted = wantedBy(view, events);
    return wanted.length === 0 ? noRows : view.rows(wanted);
  });

const wantedBy = ({ on, of }: InlineView, events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  on === undefined
    ? events
    : events.filter(
        ({ type, stream }) => on.has(type) && (of === undefined || of.some((begin) => stream.startsWith(begin))),
      );

/** Whether one statement can write a further command: views take its rows, and its `once` key is another one. */
function joinable(views: readonly InlineView[], decided: readonly Decided[], next: Decided): boolean {
  const { once } = next.pending.options;
  if (once !== undefined && decided.some((one) => one.pending.options.once === once)) return false;
  return views.every(
    (view, index) =>
      view.joins === true ||
      (next.rows[index]?.length ?? 0) === 0 ||
      decided.every((one) => (one.rows[index]?.length ?? 0) === 0),
  );
}

/** Splits commands at the first event: those before it are settled without a write, the rest hang on its being written. */
function splitDecided(
  todo: StreamToDecide,
  { generation }: DecideTools,
  decided: readonly Decided[],
): { settled: readonly Decided[]; group: Group | undefined } {
  const first = decided.findIndex((one) => one.events.length > 0);
  if (first === -1) return { settled: decided, group: undefined };
  const written = decided.slice(first);
  const group: Group = {
    stream: todo.stream,
    before: (decided[first - 1] ?? { after: todo.known }).after,
    generation,
    decided: written,
    events: written.flatMap((one) => one.events),
    keys: written.flatMap((one) =>
      one.events.length > 0 && one.pending.options.once !== undefined ? [one.pending.options.once] : [],
    ),
    guard: written[0]?.pending.options.guard,
  };
  return { settled: decided.slice(0, first), group };
}

const appendIdBase = BigInt(randomInt(2 ** 31)) << 32n;
let appendIdCount = randomInt(2 ** 31);

/** Marks the events of one command, so that the store can tell its own write from a rival's. Positive bigint. */
function nextAppendId(): string {
  appendIdCount = (appendIdCount + 1) % 2 ** 32;
  return (appendIdBase | BigInt(appendIdCount)).toString();
}

/** A command that somebody waits for. */
export interface PendingCommand {
  readonly command: unknown;
  readonly options: HandleOptions;
  readonly resolve: (handled: Handled<unknown, DomainEvent>) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the command's `once` key was found in the journal. */
  repeated: boolean;
}

/** An event on its way into the journal. */
export interface NewEvent {
  readonly recorded: RecordedEvent;
  readonly domainEvent: DomainEvent;
  readonly schemaVersion: number;
  readonly stored: Record<string, unknown>;
  readonly storedMetadata: StoredMetadata;
  readonly appendId: string;
}

/** A command with its events, if those of the commands before it are written. */
export interface Decided {
  readonly pending: PendingCommand;
  readonly events: readonly NewEvent[];
  /** Rows for each inline view, in the order of the views. */
  readonly rows: readonly (readonly object[])[];
  readonly after: KnownState;
  /** Set when the decider threw. */
  readonly thrown?: { readonly error: unknown };
}

/** Commands of one stream, decided on top of each other and written all or none. */
export interface Group {
  readonly stream: string;
  readonly before: KnownState;
  /** Of the journal when it was decided; 0: not known, and nothing in memory was used. */
  readonly generation: number;
  readonly decided: readonly Decided[];
  readonly events: readonly NewEvent[];
  readonly keys: readonly string[];
  readonly guard: { readonly name: string; readonly request: object } | undefined;
}

export type Outcome = 'appended' | 'repeated' | 'guarded' | 'conflict';

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
