import type { DataOf, EventContract } from '@messaging-gateway/contracts';
import type { DomainEvent, JournalEntry, RecordedAs, RecordedEvent } from '@messaging-gateway/event-sourcing';

/** A contract event that a journal entry tells the outside. */
export interface Publication<D = unknown> {
  readonly contract: EventContract;
  readonly data: D;
  /** Order is kept per key. Default: the profile, else the stream. */
  readonly key?: string;
  /** When it happened, ISO 8601. Default: when the journal took it. */
  readonly time?: string;
}
export type Publish = (entry: RecordedEvent | JournalEntry) => readonly Publication[];

export const publication = <E extends EventContract>(contract: E, data: DataOf<E>, key?: string): Publication =>
  key === undefined ? { contract, data } : { contract, data, key };

/** Facts that the events of one stream type tell the outside. */
export interface Tells {
  readonly stream: string;
  readonly byType: Readonly<Record<string, ((event: never) => readonly Publication[]) | undefined>>;
}

/**
 * Facts of ours: what the events of a stream tell the others, by the type of the event. Types that are not named tell
 * nothing. Pure: the same event tells the same each time it is asked.
 */
export const tells = <Event extends DomainEvent>(
  stream: { readonly name: string; readonly decider: { evolve(state: never, event: Event): unknown } },
  byType: {
    readonly [T in Event['type']]?: (event: RecordedAs<Extract<Event, { readonly type: T }>>) => readonly Publication[];
  },
): Tells => ({ stream: stream.name, byType });

/** All that the streams of a service tell. */
export function publishing(told: readonly Tells[]): Publish {
  const byType = Map.groupBy(
    told.flatMap(({ stream, byType: ofStream }) =>
      Object.entries(ofStream).map(([type, tell]) => ({ type, begin: `${stream}-`, tell })),
    ),
    ({ type }) => type,
  );
  return (entry) => {
    const rows = byType.get(entry.type);
    return rows === undefined
      ? []
      : rows.flatMap(({ begin, tell }) => (entry.stream.startsWith(begin) ? (tell?.(entry as never) ?? []) : []));
  };
}
