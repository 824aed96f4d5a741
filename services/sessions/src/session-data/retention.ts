import { setImmediate as turn } from 'node:timers/promises';
import type { Change, SessionData, Stored } from './session-data-store.ts';

const hourMs = 3_600_000;
/**
 * How long rows are kept, and no longer than a sweep after that, milliseconds: records of what was sent (and retry
 * receipts answered) and marks of what was taken 72 hours; polls 90 days, since people vote late.
 */
const kept = { sent: 72 * hourMs, taken: 72 * hourMs, poll: 90 * 24 * hourMs } as const;
export type KeptTable = keyof typeof kept;
/** A row of a table. */
type Row = readonly [table: KeptTable, id: string];

const dayMs = 24 * hourMs;
/** A phone hands over content that is missing for so long. */
export const missingMs = 14 * dayMs;
/** Longest time for which secrets of messages can be stored, days. */
export const maxSecretDays = 90;

/** The day of a time, since 1970; five digits until the year 2243. Ids of secrets begin with the day on which they were stored. */
export const dayOf = (time: number): string => String(Math.floor(time / dayMs)).padStart(5, '0');

/** Sorts behind all times. */
const lastWhole = 'whole';
/** Everything is looked at so often: for rows that an earlier version wrote, and noted nowhere. */
const wholeMs = 30 * 24 * hourMs;
const atOnce = 100;
const nothing = Buffer.alloc(0);

/** The hour in which something is due; seven digits until the year 3110. */
const hourOf = (time: number): string => String(Math.floor(time / hourMs)).padStart(7, '0');

/** Notes when rows of one table are to go; they were written at `at`, milliseconds since 1970. */
export function dueChange(table: KeptTable, ids: readonly [string, ...string[]], at: number): Change {
  const [first, ...others] = ids;
  const id = `${hourOf(at + kept[table] + hourMs)} ${table} ${first}`;
  return { table: 'due', id, value: others.length === 0 ? nothing : Buffer.from(JSON.stringify(others)) };
}

/**
 * Removes what is older than it is kept for: looks at nothing but what is due.
 *
 * @param secretDays how long secrets of messages are stored, days
 */
export async function sweep(data: SessionData, now: number, secretDays: number): Promise<void> {
  await lookAtAll(data, now);
  await sweepSecrets(data, now - secretDays * dayMs);
  await sweepMissing(data, now - missingMs);
  const end = hourOf(now);
  for (let isMore = true; isMore; await turn()) {
    const entries = (await data.scan('due', '', atOnce)).filter(({ id }) => id.slice(0, end.length) <= end);
    const rows = entries.flatMap(({ id, value }) => rowsIn(id, value));
    const old = await oldOf(data, rows, now);
    await data.commit([...removed(old), ...entries.map(({ id }): Change => ({ table: 'due', id, value: undefined }))]);
    isMore = entries.length === atOnce;
  }
}

/** Removes the secrets of days that are over at `end`; their ids begin with the day. */
async function sweepSecrets(data: SessionData, end: number): Promise<void> {
  const day = dayOf(end);
  for (let isMore = true; isMore; await turn()) {
    const old = (await data.scan('secret', '', atOnce)).filter(({ id }) => id.slice(0, day.length) < day);
    await data.commit(old.map(({ id }) => ({ table: 'secret', id, value: undefined })));
    isMore = old.length === atOnce;
  }
}

/** Few messages arrive without content, so all are read. */
async function sweepMissing(data: SessionData, end: number): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; await turn()) {
    const entries: readonly Stored[] = await data.scan('missing', after, atOnce);
    const old = entries.filter(({ value }) => timeIn(value) < end);
    await data.commit(old.map(({ id }) => ({ table: 'missing', id, value: undefined })));
    after = entries.length < atOnce ? undefined : entries.at(-1)?.id;
  }
}

function rowsIn(due: string, value: Buffer): readonly Row[] {
  const [, table = '', ...first] = due.split(' ');
  const others = value.length === 0 ? [] : (JSON.parse(value.toString()) as string[]);
  return [first.join(' '), ...others].map((id) => [table as KeptTable, id]);
}

/** The rows that are old; one that was written again since is noted under a later hour. */
async function oldOf(data: SessionData, rows: readonly Row[], now: number): Promise<readonly Row[]> {
  const tables = [...new Set(rows.map(([table]) => table))];
  const found = await Promise.all(
    tables.map(async (table) => {
      const ids = rows.filter(([one]) => one === table).map(([, id]) => id);
      const values = await data.read(table, ids);
      return ids.filter((_, index) => isOld(table, values[index], now)).map((id): Row => [table, id]);
    }),
  );
  return found.flat();
}

const isOld = (table: KeptTable, value: Buffer | undefined, now: number): boolean =>
  value !== undefined && timeIn(value) < now - kept[table];

const timeIn = (value: Buffer): number => (JSON.parse(value.toString()) as { at: number }).at;

const removed = (rows: readonly Row[]): readonly Change[] =>
  rows.flatMap(([table, id]): Change[] => [
    { table, id, value: undefined },
    ...(table === 'sent' ? [{ table: 'content', id, value: undefined } as const] : []),
  ]);

async function lookAtAll(data: SessionData, now: number): Promise<void> {
  const [last] = await data.read('due', [lastWhole]);
  if (last !== undefined && Number(last.toString()) > now - wholeMs) return;
  for (const table of Object.keys(kept) as KeptTable[])
    for (let after: string | undefined = ''; after !== undefined; await turn()) {
      const entries = await data.scan(table, after, atOnce);
      const old = entries.filter(({ value }) => isOld(table, value, now));
      const young = entries.filter((entry) => !old.includes(entry));
      await data.commit([
        ...removed(old.map(({ id }): Row => [table, id])),
        ...young.map(({ id, value }) => dueChange(table, [id], timeIn(value))),
      ]);
      after = entries.length < atOnce ? undefined : entries.at(-1)?.id;
    }
  await data.commit([{ table: 'due', id: lastWhole, value: Buffer.from(String(now)) }]);
}
