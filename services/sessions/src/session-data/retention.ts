import { setImmediate as turn } from 'node:timers/promises';
import type { Change, SessionData } from './session-data-store.ts';

const hourMs = 3_600_000;
/**
 * How long rows are kept, and no longer than a sweep after that, milliseconds: records of what was sent (and retry
 * receipts answered) and marks of what was taken 72 hours; polls 90 days, since people vote late.
 */
const kept = { sent: 72 * hourMs, taken: 72 * hourMs, poll: 90 * 24 * hourMs } as const;
export type KeptRoom = keyof typeof kept;
/** A row of a room. */
type Row = readonly [room: KeptRoom, id: string];

/** Sorts behind all times. */
const lastWhole = 'whole';
/** Everything is looked at so often: for rows that an earlier version wrote, and noted nowhere. */
const wholeMs = 30 * 24 * hourMs;
const atOnce = 100;
const nothing = Buffer.alloc(0);

/** The hour in which something is due; seven digits until the year 3110. */
const hourOf = (time: number): string => String(Math.floor(time / hourMs)).padStart(7, '0');

/** Notes when rows of one room are to go; they were written at `at`, milliseconds since 1970. */
export function dueChange(room: KeptRoom, ids: readonly [string, ...string[]], at: number): Change {
  const [first, ...others] = ids;
  const id = `${hourOf(at + kept[room] + hourMs)} ${room} ${first}`;
  return { room: 'due', id, value: others.length === 0 ? nothing : Buffer.from(JSON.stringify(others)) };
}

/** Removes what is older than it is kept for: looks at nothing but what is due. */
export async function sweep(data: SessionData, now: number): Promise<void> {
  await lookAtAll(data, now);
  const end = hourOf(now);
  for (let isMore = true; isMore; await turn()) {
    const entries = (await data.scan('due', '', atOnce)).filter(({ id }) => id.slice(0, end.length) <= end);
    const rows = entries.flatMap(({ id, value }) => rowsIn(id, value));
    const old = await oldOf(data, rows, now);
    await data.commit([...removed(old), ...entries.map(({ id }): Change => ({ room: 'due', id, value: undefined }))]);
    isMore = entries.length === atOnce;
  }
}

function rowsIn(due: string, value: Buffer): readonly Row[] {
  const [, room = '', ...first] = due.split(' ');
  const others = value.length === 0 ? [] : (JSON.parse(value.toString()) as string[]);
  return [first.join(' '), ...others].map((id) => [room as KeptRoom, id]);
}

/** What was written again since is noted under a later hour. */
async function oldOf(data: SessionData, rows: readonly Row[], now: number): Promise<readonly Row[]> {
  const rooms = [...new Set(rows.map(([room]) => room))];
  const found = await Promise.all(
    rooms.map(async (room) => {
      const ids = rows.filter(([one]) => one === room).map(([, id]) => id);
      const values = await data.read(room, ids);
      return ids.filter((_, index) => isOld(room, values[index], now)).map((id): Row => [room, id]);
    }),
  );
  return found.flat();
}

const isOld = (room: KeptRoom, value: Buffer | undefined, now: number): boolean =>
  value !== undefined && timeIn(value) < now - kept[room];

const timeIn = (value: Buffer): number => (JSON.parse(value.toString()) as { at: number }).at;

const removed = (rows: readonly Row[]): readonly Change[] =>
  rows.flatMap(([room, id]): Change[] => [
    { room, id, value: undefined },
    ...(room === 'sent' ? [{ room: 'content', id, value: undefined } as const] : []),
  ]);

async function lookAtAll(data: SessionData, now: number): Promise<void> {
  const [last] = await data.read('due', [lastWhole]);
  if (last !== undefined && Number(last.toString()) > now - wholeMs) return;
  for (const room of Object.keys(kept) as KeptRoom[])
    for (let after: string | undefined = ''; after !== undefined; await turn()) {
      const entries = await data.scan(room, after, atOnce);
      const old = entries.filter(({ value }) => isOld(room, value, now));
      const young = entries.filter((entry) => !old.includes(entry));
      await data.commit([
        ...removed(old.map(({ id }): Row => [room, id])),
        ...young.map(({ id, value }) => dueChange(room, [id], timeIn(value))),
      ]);
      after = entries.length < atOnce ? undefined : entries.at(-1)?.id;
    }
  await data.commit([{ room: 'due', id: lastWhole, value: Buffer.from(String(now)) }]);
}
