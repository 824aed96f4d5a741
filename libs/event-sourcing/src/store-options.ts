import type { Clock, EncryptionKeys } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { HandleOptions } from './event-store.ts';
import type { Doorbell } from './doorbell.ts';
import type { AppendGuard, InlineView } from './view.ts';
import type { RecordedEvent } from './journal-entry.ts';
import type { AnyStreamType } from './stream-type.ts';

/** Where a journal is and how it is read. */
export interface JournalOptions {
  /** Connections to the database. The store opens up to five of its own with the same settings. */
  readonly pool: Pool;
  readonly schema: string;
  readonly streams: readonly AnyStreamType[];
  readonly encryption: EncryptionKeys;
  readonly clock: Clock;
  /** Shared by the store and the readers of a process: rings after each append. */
  readonly doorbell: Doorbell;
}

export interface EventStoreOptions extends JournalOptions {
  readonly inlineViews: readonly InlineView[];
  readonly guards: readonly AppendGuard[];
  /** States kept in memory, at most. Default 10 000. */
  readonly cachedStates?: number;
  /** Completes what is given with a command, for example by whose request it is for. Default: as it is given. */
  readonly completed?: (given: HandleOptions) => HandleOptions;
  /** Told the options of each command that has appended events, completed; before its `onAppended`. */
  readonly appended?: (given: HandleOptions) => void;
  /**
   * Whether readers are to hear of an entry at once; what concerns none of them is read along with later ones, or with
   * the safety poll. Default: every entry.
   */
  readonly isNews?: (event: RecordedEvent) => boolean;
  /** Told of each batch: streams that were written together, and those of them that a rival had written meanwhile. */
  readonly onWritten?: (streams: number, conflicts: number) => void;
  /** Told of faults beside the calls: a snapshot that could not be written. */
  readonly onFault?: (fault: unknown) => void;
}
