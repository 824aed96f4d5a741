import { createHash } from 'node:crypto';
import type { AppendGuard, InlineView } from './inline-view.ts';
import { inSchema } from './journal-migration.ts';

/** The statement that appends a batch: constant text, one JSON parameter for each relation that goes in. */
export interface AppendStatement {
  readonly name: string;
  readonly text: string;
}

/** Order of the parameters: groups, once keys, events, then one for each guard, then one for each view. */
export const fixedParameters = 3;

/**
 * Builds the statement. Its steps depend on each other's results, so PostgreSQL runs them in this order:
 * 1. what is known to be in vain (version taken, `once` key used) is left out, so that it takes no guard's place;
 * 2. guards grant under their row locks;
 * 3. the first event of each group goes in unless its version is taken meanwhile, in the order of the streams' names,
 *    so that two batches never wait for each other;
 * 4. the rest of the events, the `once` keys and the views' rows of the groups whose first event went in.
 * A command that a guard granted and a rival overtook after all rolls back the whole statement (SQLSTATE MG001), as
 * does a `once` key used by a rival at the same moment (23505); then each group is written alone.
 */
export function appendStatement(schema: string, guards: readonly AppendGuard[], views: readonly InlineView[]): AppendStatement {
  const steps = [
    `groups AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS x(c int, s text, b int))`,
    `keys AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($2::jsonb) AS x(c int, k text, a bigint))`,
    `given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($3::jsonb)
       AS x(c int, n int, t text, v smallint, i bigint, d jsonb, m jsonb, a bigint))`,
    `repeated AS MATERIALIZED (SELECT k.c FROM keys k WHERE EXISTS (SELECT FROM {schema}.once o WHERE o.key = k.k))`,
    `candidates AS MATERIALIZED (
       SELECT g.c, g.s, g.b FROM groups g
        WHERE NOT EXISTS (SELECT FROM {schema}.events e WHERE e.stream = g.s AND e.version = g.b + 1)
          AND g.c NOT IN (SELECT r.c FROM repeated r))`,
    ...guards.flatMap(guardSteps),
    granted(guards.length),
    `first AS (
       INSERT INTO {schema}.events (stream, version, type, schema_version, append_id, data, metadata, at)
       SELECT g.s, g.b + 1, e.t, e.v, e.i, e.d, e.m, to_timestamp(e.a / 1000.0)
         FROM granted g JOIN given e ON e.c = g.c AND e.n = 1 ORDER BY g.s
       ON CONFLICT ON CONSTRAINT events_stream_version DO NOTHING RETURNING stream)`,
    `appended AS MATERIALIZED (
       SELECT coalesce(array_agg(g.c), '{}') AS commands FROM first f JOIN groups g ON g.s = f.stream)`,
    `rest AS (
       INSERT INTO {schema}.events (stream, version, type, schema_version, append_id, data, metadata, at)
       SELECT g.s, g.b + e.n, e.t, e.v, e.i, e.d, e.m, to_timestamp(e.a / 1000.0)
         FROM given e JOIN groups g ON g.c = e.c
        WHERE e.n > 1 AND e.c = ANY ((SELECT a.commands FROM appended a)::int[]) ORDER BY g.s, e.n)`,
    `used AS (
       INSERT INTO {schema}.once (key, at) SELECT k.k, to_timestamp(k.a / 1000.0) FROM keys k
        WHERE k.c = ANY ((SELECT a.commands FROM appended a)::int[]) ORDER BY k.k)`,
    ...views.flatMap((view, index) => viewSteps(view, index, fixedParameters + guards.length + index + 1)),
  ];
  const text = inSchema(`WITH ${steps.join(',\n')}\n${outcomes(guards.length)}`, schema);
  return { name: `append_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, text };
}

function guardSteps(guard: AppendGuard, index: number): string[] {
  const requests = `guard_${index}_requests`;
  const withRequests = (sql: string): string => sql.replaceAll('{requests}', requests);
  return [
    `${requests} AS MATERIALIZED (
       SELECT x.command, x.request FROM jsonb_to_recordset($${fixedParameters + index + 1}::jsonb) AS x(command int, request jsonb)
        WHERE x.command IN (SELECT k.c FROM candidates k) ORDER BY x.command)`,
    ...(guard.before ?? []).map(([name, sql]) => `${name} AS (${withRequests(sql)})`),
    `guard_${index} AS (${withRequests(guard.sql)})`,
  ];
}

/** The candidates that no guard was asked for, or whose guard said yes. */
function granted(guards: number): string {
  const asked = union(guards, (index) => `SELECT command FROM guard_${index}_requests`);
  const yes = union(guards, (index) => `SELECT command FROM guard_${index}`);
  return `asked AS MATERIALIZED (${asked}),
    yes AS MATERIALIZED (${yes}),
    granted AS MATERIALIZED (
      SELECT k.c, k.s, k.b FROM candidates k
       WHERE k.c NOT IN (SELECT command FROM asked) OR k.c IN (SELECT command FROM yes))`;
}

const union = (count: number, select: (index: number) => string): string =>
  count === 0 ? 'SELECT 0 AS command WHERE false' : Array.from({ length: count }, (_, index) => select(index)).join(' UNION ALL ');

function viewSteps(view: InlineView, index: number, parameter: number): string[] {
  const rows = `view_${index}_rows`;
  return [
    `${rows} AS MATERIALIZED (
       SELECT x.command, x.ordinal, x.row FROM jsonb_to_recordset($${parameter}::jsonb) AS x(command int, ordinal int, row jsonb)
        WHERE x.command = ANY ((SELECT a.commands FROM appended a)::int[]) ORDER BY x.ordinal)`,
    `view_${index} AS (${view.sql.replaceAll('{rows}', rows)})`,
  ];
}

const outcomes = (guards: number): string => `
  SELECT g.c AS command,
         CASE WHEN g.c = ANY (a.commands) THEN 'appended'
              WHEN g.c IN (SELECT r.c FROM repeated r) THEN 'repeated'
              ${guards === 0 ? '' : `
              WHEN g.c IN (SELECT command FROM asked) AND g.c NOT IN (SELECT command FROM yes) THEN 'guarded'
              WHEN g.c IN (SELECT command FROM yes) THEN {schema}.append_again()`}
              ELSE 'conflict' END AS outcome
    FROM groups g CROSS JOIN appended a`;
