/** Where a request came from. Personal data of whoever made it. */
export interface RequestOrigin {
  readonly ip?: string;
  readonly userAgent?: string;
}

/**
 * Marks what a person or an API key has asked for: every event of one request carries the same mark, so that the audit
 * makes one entry of them.
 */
export interface AuditMark {
  /** Id of the entry, the same for all events of the request and for its repeats. UUIDv7. */
  readonly id: string;
  /** For example `profile.create`. */
  readonly action: string;
  /** Kind of thing that it was done to. Default: the part of the action before the dot. */
  readonly resourceType?: string;
  /** The resource that it was done to; null: nothing in particular. Default: the stream. */
  readonly resourceId?: string | null;
  /** The actor, where the event's own `actor` is another one. */
  readonly actor?: string;
  /** Subject whose key protects `origin`: `user:<id>`, behind an API key its maker. Absent: there is no origin. */
  readonly subject?: string;
  /** Stored encrypted; absent once the subject was erased. */
  readonly origin?: RequestOrigin;
  /** Further facts that are not personal. JSON. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Facts about an event beside its data. JSON. */
export interface EventMetadata {
  readonly organizationId: string;
  readonly profileId?: string;
  /** Subject whose key protects the personal fields, for example `organization:<id>` or `user:<id>`. */
  readonly subject: string;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** The one who caused it: `user:<id>`, `api_key:<id>` or `service:<name>`. */
  readonly actor?: string;
  /** Id of the event or command that caused it. */
  readonly cause?: string;
  readonly audit?: AuditMark;
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
  readonly unreadable?: undefined;
}

/**
 * Why an entry cannot be read. `newer`: another version of the program, or one with the right encryption key, can: wait for
 * it. `damaged`: nobody can, and nothing is to wait for it.
 */
export interface Unreadable {
  readonly kind: 'newer' | 'damaged';
  /** One sentence, without anything personal. */
  readonly reason: string;
}

/** An entry of which only the outside is known. It keeps its place: what comes behind it can be read. */
export interface UnreadableEntry extends Pick<JournalEntry, 'place' | 'stream' | 'version' | 'type' | 'at'> {
  /** Of whom it tells, where that much can be read. */
  readonly organizationId?: string;
  readonly unreadable: Unreadable;
}

/** An entry as a reader meets it. */
export type ReadEntry<Data = Record<string, unknown>> = JournalEntry<Data> | UnreadableEntry;

/** An event just written: everything but the place in the journal, which readers learn later. */
export type RecordedEvent<Data = Record<string, unknown>> = Omit<JournalEntry<Data>, 'place' | 'unreadable'>;

/** Reads as this where a personal field was erased. */
export const erased = '\u0000erased';
