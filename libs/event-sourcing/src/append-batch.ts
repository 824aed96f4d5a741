import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, Unavailable } from '@messaging-gateway/runtime';
import type { Pool, PoolClient } from 'pg';
import type { AppendStatement } from './append-statement.ts';
import type { AppendGuard, InlineView } from './inline-view.ts';
import { jsonText } from './json-text.ts';
import { inSchema } from './journal-migration.ts';
import type { Group, Outcome } from './pending-command.ts';

/** What became of a group; `split`: its commands are to be written one by one, as something in it is at fault. */
export type GroupOutcome = Outcome | 'split' | { readonly error: unknown };

/** Writes groups with one statement and finds out what became of each, whatever happens to the connection. */
export interface BatchWriter {
  /** Never rejects. */
  write(groups: readonly Group[]): Promise<GroupOutcome[]>;
}

interface BatchWriterOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly statement: AppendStatement;
  readonly guards: readonly AppendGuard[];
  readonly views: readonly InlineView[];
  /** Aborted when the store gives up what it cannot settle. */
  readonly signal: AbortSignal;
}

/** Rolled back by PostgreSQL for no fault of the statement: deadlock, serialization, lock and statement timeout. */
const againCodes = new Set(['40P01', '40001', '55P03', '57014']);
const attempts = 5;

export function batchWriter(options: BatchWriterOptions): BatchWriter {
  const { pool, schema, statement, signal } = options;

  const run = async (groups: readonly Group[]): Promise<GroupOutcome[]> => {
    let values: string[] | undefined;
    let sent = false;
    for (let attempt = 1; ; attempt += 1) {
      let client: PoolClient | undefined;
      try {
        values ??= parametersOf(groups, options);
        client = await pool.connect();
        const { rows } = await client.query<{ command: number; outcome: Outcome }>({ ...statement, values });
        client.release();
        const outcomes: GroupOutcome[] = groups.map(() => 'conflict');
        for (const row of rows) outcomes[row.command] = row.outcome;
        return sent ? await ownWrites(groups, outcomes) : outcomes;
      } catch (error) {
        const lost = isLost(error);
        client?.release(lost);
        if (lost && client === undefined && !sent) return failed(groups, new Unavailable('The database is not available.', { cause: error }));
        if (lost) {
          // What was sent may be written or not, or be about to be: the same again tells, as it can go in only once.
          sent ||= client !== undefined;
          if (signal.aborted) return failed(groups, new Unavailable('The database went away: it is not known whether this was written.', { cause: error }));
          await sleep(Math.min(50 * attempt, 500));
        } else if (againCodes.has(sqlState(error)) && attempt < attempts) {
          await sleep(Math.random() * 20 * attempt);
        } else return afterFault(groups, error);
      }
    }
  };

  /** Rolled back as a whole: the groups are written one by one, so that only the one at fault hears of it. */
  const afterFault = async (groups: readonly Group[], error: unknown): Promise<GroupOutcome[]> => {
    const [only] = groups;
    if (groups.length > 1) {
      const outcomes: GroupOutcome[] = [];
      for (const group of groups) outcomes.push(...(await run([group])));
      return outcomes;
    }
    if (only === undefined) return [];
    if (sqlState(error) === 'MG001' || (error as { constraint?: string }).constraint === 'once_key') return ['conflict'];
    return [only.decided.length > 1 ? 'split' : { error }];
  };

  /** Tells what an earlier attempt had written from what a rival wrote. */
  const ownWrites = async (groups: readonly Group[], outcomes: readonly GroupOutcome[]): Promise<GroupOutcome[]> => {
    const open = groups.filter((_, index) => outcomes[index] !== 'appended');
    const { rows } = await retried(() =>
      pool.query<{ stream: string }>(
        inSchema(
          `SELECT e.stream FROM unnest($1::text[], $2::int[], $3::bigint[]) AS x(s, v, i)
             JOIN {schema}.events e ON e.stream = x.s AND e.version = x.v AND e.append_id = x.i`,
          schema,
        ),
        [open.map((group) => group.stream), open.map((group) => group.before.version + 1), open.map((group) => group.events[0]?.appendId)],
      ),
    );
    const own = new Set(rows.map((row) => row.stream));
    return groups.map((group, index) => (own.has(group.stream) ? 'appended' : (outcomes[index] ?? 'conflict')));
  };

  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !isLost(error)) throw error;
        await sleep(Math.min(50 * attempt, 500));
      }
    }
  };

  return { write: (groups) => run(groups).catch((error: unknown) => failed(groups, error)) };
}

const failed = (groups: readonly Group[], error: unknown): GroupOutcome[] => groups.map(() => ({ error }));
const sqlState = (error: unknown): string => String((error as { code?: unknown }).code);
/** The connection failed, or nothing was heard of the statement. */
const isLost = (error: unknown): boolean => isUnavailable(error) || (error instanceof Error && error.message === 'Query read timeout');

/** One JSON text for each relation that the statement reads. */
function parametersOf(groups: readonly Group[], { guards, views }: BatchWriterOptions): string[] {
  const events = groups.flatMap((group, c) =>
    group.events.map(({ recorded, schemaVersion, stored, appendId }, index) => ({
      c,
      n: index + 1,
      t: recorded.type,
      v: schemaVersion,
      i: appendId,
      d: stored,
      m: recorded.metadata,
      a: recorded.at.getTime(),
    })),
  );
  const keys = groups.flatMap((group, c) => group.keys.map((k) => ({ c, k, a: group.events[0]?.recorded.at.getTime() })));
  return [
    jsonText(groups.map((group, c) => ({ c, s: group.stream, b: group.before.version }))),
    jsonText(keys),
    jsonText(events),
    ...guards.map(({ name }) =>
      jsonText(groups.flatMap(({ guard }, command) => (guard?.name === name ? [{ command, request: guard.request }] : []))),
    ),
    ...views.map((_, view) => jsonText(rowsOf(groups, view))),
  ];
}

function rowsOf(groups: readonly Group[], view: number): object[] {
  const rows: object[] = [];
  groups.forEach((group, command) => {
    for (const one of group.decided) for (const row of one.rows[view] ?? []) rows.push({ command, ordinal: rows.length, row });
  });
  return rows;
}
