import type { DomainEvent } from './decider.ts';
import type { InlineView } from './inline-view.ts';
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
  'on' | 'rows'
> {
  /** The streams whose events it shows. */
  readonly of: Stream | readonly Stream[];
  /** Types of the events that it wants. */
  readonly on: readonly Type[];
  /** Rows for those among the events of one command, in order; it is not asked without any. JSON values only. Pure. */
  readonly rows: (events: readonly EventsOf<NoInfer<Stream>, NoInfer<Type>>[]) => readonly object[];
}

/** A view written along with the events (see `InlineView`) that names those which it wants, and gets them typed. */
export function view<Stream extends StreamOfEvents, const Type extends EventOf<Stream>['type']>({
  of,
  on,
  rows,
  ...written
}: ViewSpec<Stream, Type>): InlineView {
  const streams = [of].flat() as readonly StreamOfEvents[];
  const begins = streams.map(({ name }) => `${name}-`);
  const types = new Set<string>(on);
  const isWanted = (event: RecordedEvent): boolean =>
    types.has(event.type) && begins.some((begin) => event.stream.startsWith(begin));
  return {
    ...written,
    on: types,
    rows: (events) => {
      const wanted = events.filter(isWanted) as readonly unknown[] as readonly EventsOf<Stream, Type>[];
      return wanted.length === 0 ? [] : rows(wanted);
    },
  };
}
