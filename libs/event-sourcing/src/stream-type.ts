import type { Decider, DomainEvent } from './decider.ts';
import type { ViewSql } from './view-sql.ts';

/** How one type of event is stored and read back. */
export interface EventStorage {
  /** Current version of the data's shape, from 1. */
  readonly version: number;
  /**
   * Top-level fields of `data` that hold personal data: stored encrypted with the key of the subject,
   * read as `Erased` once that key is destroyed.
   */
  readonly personal?: readonly string[];
  /** From version n to n + 1, by n. Pure. */
  readonly upcasters?: Readonly<Record<number, (data: Record<string, unknown>) => Record<string, unknown>>>;
}

/** A kind of stream: its rules and how its events are stored. */
export interface StreamType<State, Command, Event extends DomainEvent> {
  /** First part of the stream's name: `<name>-<id>`; the id is never a phone number. */
  readonly name: string;
  readonly decider: Decider<State, Command, Event>;
  readonly events: { readonly [T in Event['type']]: EventStorage };
  /**
   * Write a snapshot of the state every so many events. Absent: never. The state must survive JSON: no Date, Map or Set.
   */
  readonly snapshotEvery?: number;
  /** Version of the state's shape; snapshots of another version are ignored. Default 1. */
  readonly snapshotVersion?: number;
  /**
   * A stream that ends, such as a message: it is deleted once its last event is older than `EVENT_RETENTION_DAYS`.
   * Absent: kept for ever, or for as long as its service says.
   */
  readonly ends?: boolean;
  /** Of streams that end: which of these, by id, have not ended yet and are kept whatever their age. Absent: none. */
  readonly stillOpen?: (sql: ViewSql, ids: readonly string[]) => Promise<readonly string[]>;
}

/** A kind of stream whose types do not matter: how its events are stored. */
export type AnyStreamType = Pick<
  StreamType<unknown, unknown, DomainEvent>,
  'name' | 'snapshotEvery' | 'snapshotVersion' | 'ends' | 'stillOpen'
> & {
  readonly events: Readonly<Record<string, EventStorage>>;
};

export type UntypedStreamType = StreamType<unknown, unknown, DomainEvent>;

/** A stream as far as it is known: its state after so many events, and whose personal data went into it. */
export interface KnownState {
  readonly state: unknown;
  readonly version: number;
  /** Of the last of these events: tells whether the stream is still the one that was read. Absent with version 0. */
  readonly appendId?: string;
  readonly subjects: ReadonlySet<string>;
}
