export type { Decider, DomainEvent } from './decider.ts';
export type { Counted, EventStore, Handled, HandleOptions, JournalReader } from './event-store.ts';
export type { AppendGuard, InlineView } from './view.ts';
export { view } from './view.ts';
export type { EventsOf } from './view.ts';
export type { RecordedAs } from './view.ts';
export { erased } from './journal-entry.ts';
export type {
  AuditMark,
  EventMetadata,
  JournalEntry,
  JournalPlace,
  ReadEntry,
  RecordedEvent,
  RequestOrigin,
  UnreadableEntry,
} from './journal-entry.ts';
export type { AnyStreamType, StreamType } from './stream-type.ts';
export { doorbell } from './doorbell.ts';
export { inSchema, journalMigration, journalMigrations } from './journal-migration.ts';
export { openEventStore } from './open-event-store.ts';
export { openJournalReader } from './journal-reader.ts';
export type { JournalOptions } from './store-options.ts';
export { adoptCluster, assertSameCluster, OtherCluster } from './cluster.ts';
export { journalLine } from './journal-line.ts';
export type { NewLine } from './journal-line.ts';
export type { ViewSql } from './view-sql.ts';
export { jsonText } from './append-statement.ts';
export { rebuildViews } from './rebuild-views.ts';
export { eraseAgain } from './erase-subject.ts';
export { assertOpens, assertRightKey, fromHex, keepKnownValue, WrongKey } from './right-key.ts';
export type { KeyEvidence } from './right-key.ts';
export { constraintStatements, indexStatements, quoted } from './table-definition.ts';
export { resealSubjectKeys } from './reseal-subject-keys.ts';
export { deleteStreams, readLine } from './delete-streams.ts';
export type { ReadLine } from './delete-streams.ts';
export { allReadable, needsNewer, unreadableText } from './unreadable.ts';
export { applyRetention } from './retention.ts';
