import type { BatchShape } from './append-statement.ts';
import type { AppendGuard, InlineView } from './inline-view.ts';
import { jsonText } from './json-text.ts';
import type { Group } from './pending-command.ts';

/** The shape of a batch, and its parameters: one JSON text for each relation that the statement reads. */
export function batchParameters(
  groups: readonly Group[],
  guards: readonly AppendGuard[],
  views: readonly InlineView[],
  generation: number,
): { shape: BatchShape; values: string[] } {
  const keys = groups.flatMap((group, c) =>
    group.keys.map((k) => ({ c, k, a: group.events[0]?.recorded.at.getTime() })),
  );
  const requests = guards.map(({ name }) =>
    groups.flatMap(({ guard }, command) => (guard?.name === name ? [{ command, request: guard.request }] : [])),
  );
  const rows = views.map((_, view) => rowsOf(groups, view));
  const used = (lists: readonly (readonly object[])[]): number[] =>
    lists.flatMap((list, at) => (list.length > 0 ? [at] : []));
  const shape = {
    rest: groups.some((group) => group.events.length > 1),
    keys: keys.length > 0,
    guards: used(requests),
    views: used(rows),
  };
  const relations = [
    ...(shape.keys ? [keys] : []),
    ...shape.guards.map((at) => requests[at]),
    ...shape.views.map((at) => rows[at]),
  ];
  return { shape, values: [jsonText(eventsOf(groups)), String(generation), ...relations.map(jsonText)] };
}

function eventsOf(groups: readonly Group[]): object[] {
  const events: object[] = [];
  groups.forEach(({ stream, before, events: some }, c) => {
    some.forEach(({ recorded, schemaVersion, stored, storedMetadata, appendId }, index) => {
      events.push({
        c,
        s: stream,
        b: before.version,
        ...(index === 0 && { p: before.appendId }),
        n: index + 1,
        t: recorded.type,
        v: schemaVersion,
        i: appendId,
        d: stored,
        m: storedMetadata,
        a: recorded.at.getTime(),
      });
    });
  });
  return events;
}

function rowsOf(groups: readonly Group[], view: number): object[] {
  const rows: object[] = [];
  groups.forEach((group, command) => {
    for (const one of group.decided)
      for (const row of one.rows[view] ?? []) rows.push({ command, ordinal: rows.length, row });
  });
  return rows;
}
