import type { DomainEvent } from './decider.ts';
import type { Take } from './doorbell.ts';
import type { EventMetadata, JournalEntry, JournalPlace, ReadEntry, RecordedEvent } from './journal-entry.ts';
import type { NewLine } from './journal-line.ts';
import type { StreamType } from './stream-type.ts';

export interface HandleOptions {
  readonly metadata: EventMetadata;
  /**
   * A key under which this command has an effect only once in this journal, for example the id of the event that
   * caused it. A repeat appends nothing and is answered with the present state.
   */
  readonly once?: string;
  /** Names the guard that must grant the append, and what it is asked. Skipped when nothing is appended. */
  readonly guard?: { readonly name: string; readonly request: object };
  /**
   * How long after the last write of the store the command may wait for others to go with, milliseconds; it goes with
   * the next write in any case. For what nobody waits for: under load it then costs no statement of its own. Default 0.
   */
  readonly patienceMs?: number;
  /** When it happened, where that was told before it is written. Default: when it is decided. */
  readonly at?: Date;
  /** Receives the events that were appended, before the call returns. */
  readonly onAppended?: (events: readonly RecordedEvent[]) => void;
}

export interface Handled<State, Event> {
  readonly outcome: 'appended' | 'nothing' | 'guarded';
  readonly state: State;
  readonly version: number;
  readonly events: readonly Event[];
}

/** The journal of one service. */
export interface EventStore {
  /**
   * Loads the stream, decides, appends with optimistic concurrency, and again when another writer was faster.
   * Concurrent calls share statements: at once when idle, in batches under load. Calls on one stream run in order.
   *
   * A decider may be asked several times for one command, at first with its initial state when the stream is not in
   * memory: what it throws, or an empty answer, counts only once it was given on the present state. Personal fields of
   * a subject that was erased are replaced by `erased` before anything sees them.
   *
   * @throws what the decider throws
   * @throws Unavailable when nothing was written, as the database does not answer. While it is open whether something
   *   was written, the call waits until the database tells
   */
  handle<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    id: string,
    command: C,
    options: HandleOptions,
  ): Promise<Handled<S, E>>;

  /** The state of a stream now. `version` 0: there is no such stream. */
  load<S, C, E extends DomainEvent>(type: StreamType<S, C, E>, id: string): Promise<{ state: S; version: number }>;

  /** The events of a stream, oldest first. @throws Unavailable when one needs a newer version of the program */
  read<S, C, E extends DomainEvent>(
    type: StreamType<S, C, E>,
    id: string,
    afterVersion?: number,
  ): Promise<JournalEntry[]>;

  /** Destroys a subject's key: its personal fields read as `erased` from now on, everywhere and for ever. */
  erase(subject: string): Promise<void>;

  /** Waits until what was handed in has been written. */
  close(): Promise<void>;
}

/** Entries that can be read now. `last` is undefined when there are none. */
export interface Counted {
  readonly count: number;
  readonly last: JournalPlace | undefined;
}

/** Reads a whole journal in an order that never skips, repeats or reorders a stream under concurrent writers. */
export interface JournalReader {
  /**
   * The next entries after a place, oldest first; stops short of transactions still open. One that cannot be read comes as
   * `UnreadableEntry` in its place, and stops nobody from reading what is behind it.
   *
   * @param after undefined: from the beginning
   * @param limit entries at most, 1–1000
   */
  after(after: JournalPlace | undefined, limit: number): Promise<readonly ReadEntry[]>;
  /** The place behind everything that can be read now; undefined for an empty journal. */
  end(): Promise<JournalPlace | undefined>;
  /**
   * The number of entries behind one place, up to and with another one, and the last of them; short of the same.
   *
   * @param wasQuiet nobody was writing after `upTo` was written (see `isQuiet`), so that open transactions do not matter
   */
  count(after: JournalPlace | undefined, upTo: JournalPlace, wasQuiet?: boolean): Promise<Counted>;
  /** Whether nobody writes to the journal now. Appends are single statements: those that begin later stand behind. */
  isQuiet(): Promise<boolean>;
  /**
   * Calls back soon after each append of this process, and at least every second.
   *
   * @param take is asked before, append by append: what it takes need not be read
   * @returns stops it
   */
  onNews(listener: () => void, take?: Take): () => void;
  /**
   * Calls back when the journal goes on in another generation, because its database lacks what others had (a promoted
   * standby): places in memory may lie where nothing comes any more, so go on from those that are kept in the database.
   *
   * @returns stops it
   */
  onNewLine(listener: (line: NewLine) => void): () => void;
}
