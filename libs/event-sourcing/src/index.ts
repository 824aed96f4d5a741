export type { Decider, DomainEvent } from './decider.ts';
export type { EventStore, Handled, HandleOptions, JournalReader } from './event-store.ts';
export type { AppendGuard, InlineView } from './inline-view.ts';
export { erased } from './journal-entry.ts';
export type { EventMetadata, JournalEntry, JournalPlace, RecordedEvent } from './journal-entry.ts';
export type { AnyStreamType, EventStorage, StreamType } from './stream-type.ts';
