import { jsonCopy } from '@messaging-gateway/runtime';
import type { Written } from './append-batch.ts';
import { isKeptAsIs } from './json-text.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { NewEvent } from './pending-command.ts';

/**
 * Entries that a statement has appended, as the journal gives them back and in its order.
 *
 * @param appended the events of the groups that went in, group by group
 * @returns undefined when that is not known without reading it
 */
export function entriesWritten(
  appended: readonly NewEvent[],
  { places }: Pick<Written, 'places'>,
): readonly JournalEntry[] | undefined {
  const given = places?.flat() ?? [];
  if (given.length !== appended.length) return undefined;
  const entries: JournalEntry[] = [];
  for (const [index, { recorded }] of appended.entries()) {
    const [place, data, metadata] = [given[index], jsonCopy(recorded.data), jsonCopy(recorded.metadata)];
    if (place === undefined || !isKeptAsIs(data) || !isKeptAsIs(metadata)) return undefined;
    entries.push({ ...recorded, place, data, metadata });
  }
  return entries.sort((a, b) => (a.place.position < b.place.position ? -1 : 1));
}
