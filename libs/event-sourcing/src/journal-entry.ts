/** What is known about an event beside its data. JSON. */
export interface EventMetadata {
  readonly organizationId: string;
  readonly profileId?: string;
  /** Whose key protects the personal fields, for example `organization:<id>` or `user:<id>`. */
  readonly subject: string;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** Who caused it: `user:<id>`, `api_key:<id>` or `service:<name>`. */
  readonly actor?: string;
  /** Id of the event or command that caused it. */
  readonly cause?: string;
}

/** A place in a journal: grows in the order in which readers see entries. */
export interface JournalPlace {
  /** Counts restores into another cluster, where transaction ids start anew. */
  readonly generation: number;
  readonly transactionId: bigint;
  readonly position: bigint;
}

/** One event as it is read back: decrypted, upcast to the current version. */
export interface JournalEntry<Data = Record<string, unknown>> {
  readonly place: JournalPlace;
  readonly stream: string;
  /** From 1, without gaps, in its stream. */
  readonly version: number;
  readonly type: string;
  readonly data: Data;
  readonly metadata: EventMetadata;
  readonly at: Date;
}

/** An event just written: everything but the place in the journal, which readers learn later. */
export type RecordedEvent<Data = Record<string, unknown>> = Omit<JournalEntry<Data>, 'place'>;

/** Reads as this where a personal field was erased. */
export const erased = '\u0000erased';
