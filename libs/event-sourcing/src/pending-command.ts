import type { StoredMetadata } from './audit-mark.ts';
import type { HandleOptions, Handled } from './event-store.ts';
import type { RecordedEvent } from './journal-entry.ts';
import type { KnownState } from './state-cache.ts';
import type { StreamType } from './stream-type.ts';
import type { DomainEvent } from './decider.ts';

export type UntypedStreamType = StreamType<unknown, unknown, DomainEvent>;

/** A command that somebody waits for. */
export interface PendingCommand {
  readonly command: unknown;
  readonly options: HandleOptions;
  readonly resolve: (handled: Handled<unknown, DomainEvent>) => void;
  readonly reject: (error: unknown) => void;
  /** Its `once` key was found in the journal. */
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
