import { modules } from '../../services/standalone/src/services.ts';

/** Versions of the events that each kind of stream can hold, by schema, stream and type. */
export type JournalContents = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

/** Events that this version reads and may write. */
export const journalContents = (): JournalContents =>
  Object.fromEntries(
    modules.map(({ storage: { schema, streams } }) => [
      schema,
      Object.fromEntries(
        streams.map(({ name, events }) => [
          name,
          Object.fromEntries(Object.entries(events).map(([type, { version }]) => [type, version])),
        ]),
      ),
    ]),
  );

/**
 * Events that streams of the last release may hold now and it cannot read: with one of them in a stream, processes of that
 * release wait before it. Kinds of streams that it does not know are of no use to it.
 */
export function unreadableBefore(released: JournalContents, now: JournalContents): string[] {
  return Object.entries(released).flatMap(([schema, streams]) =>
    Object.entries(streams).flatMap(([stream, events]) =>
      Object.entries(now[schema]?.[stream] ?? {})
        .filter(([type, version]) => version > (events[type] ?? 0))
        .map(([type, version]) => `${schema} ${stream} ${type} v${version}`),
    ),
  );
}
