import type { DomainEvent } from './decider.ts';
import type { RecordedEvent } from './journal-entry.ts';

/** A stream type, as far as its events are concerned. */
export interface StreamOfEvents {
  readonly name: string;
  readonly decider: { evolve(state: never, event: never): unknown };
}

/** The events of a stream type. */
export type EventOf<Stream extends StreamOfEvents> = Extract<Parameters<Stream['decider']['evolve']>[1], DomainEvent>;

/** An event as it was written: its type tells its data. */
export type RecordedAs<Event extends DomainEvent> = Event extends DomainEvent
  ? Event & Omit<RecordedEvent, 'type' | 'data'>
  : never;

/** The events of these types among those of a stream type. */
export type EventsOf<Stream extends StreamOfEvents, Type extends string> = RecordedAs<
  Extract<EventOf<Stream>, { readonly type: Type }>
>;

export interface ViewSpec<Stream extends StreamOfEvents, Type extends EventOf<Stream>['type']> extends Omit<
  InlineView,
  'of' | 'on' | 'rows'
> {
  /** The streams whose events it shows. */
  readonly of: Stream | readonly Stream[];
  /** Types of the events that it wants. */
  readonly on: readonly Type[];
  /** Rows for those among the events of one command, in order; it is not asked without any. JSON values only. Pure. */
  readonly rows: (events: readonly EventsOf<NoInfer<Stream>, NoInfer<Type>>[]) => readonly object[];
}

/** A view written along with the events (see `InlineView`) that names those which it wants, and gets them typed: these alone. */
export function view<Stream extends StreamOfEvents, const Type extends EventOf<Stream>['type']>({
  of,
  on,
  rows,
  ...written
}: ViewSpec<Stream, Type>): InlineView {
  const streams = [of].flat() as readonly StreamOfEvents[];
  return {
    ...written,
    of: streams.map(({ name }) => `${name}-`),
    on: new Set<string>(on),
    rows,
  };
}

/**
 * A view written in the very statement that appends the events, so that it is never behind.
 * `rows` is pure; `sql` is one or more common table expressions that write the rows, where:
 * - `{schema}` stands for the service's schema;
 * - `{rows}` stands for a relation with the columns `command int`, `ordinal int` (order of the rows) and `row jsonb`,
 *   holding only rows of commands that were appended (not those refused by a conflict or a guard).
 * One command changes a key at most once, but several commands of a batch may change the same key when the key is not
 * the stream (a lane): group them in the SQL. The views of one statement don't see what the others write. Texts that
 * were erased come as `[erased]`. Must be safe to run again for the same events when `rebuild` says so.
 */
export interface InlineView {
  readonly name: string;
  /** Types of the events that it wants; of a command without any of them it is not asked. Absent: all. */
  readonly on?: ReadonlySet<string>;
  /** How the names of their streams begin. Absent: however. */
  readonly of?: readonly string[];
  /** Rows for the wanted events of one command, in order; it is not asked without any. JSON values only. */
  rows(events: readonly RecordedEvent[]): readonly object[];
  /** One data-modifying statement without `WITH`, for example `INSERT INTO {schema}.messages … SELECT … FROM {rows}`. */
  readonly sql: string;
  /**
   * The SQL also takes several rows with the key of one stream, in the order of `ordinal`: then commands that wait for
   * the same stream are written by one statement even when each of them has rows here. `command` is the same for them.
   */
  readonly joins?: boolean;
  /**
   * Tables that a rebuild makes anew from the journal; views that name the same table are rebuilt together. Absent: the
   * view is not rebuilt.
   */
  readonly tables?: readonly string[];
}

/**
 * A condition checked under a row lock in the same statement, before the events are written, for example a place
 * in the day's limit. Commands that it does not grant append nothing and come back as `guarded`.
 */
export interface AppendGuard {
  readonly name: string;
  /**
   * One data-modifying or locking statement without `WITH` that returns the column `command int` of each granted
   * command; `{requests}` has the columns `command int` and `request jsonb`, in the order of arrival. Preceding
   * common table expressions can be given in `before` as [name, sql]; their names are the guard's own in the service.
   */
  readonly before?: readonly (readonly [name: string, sql: string])[];
  readonly sql: string;
}
