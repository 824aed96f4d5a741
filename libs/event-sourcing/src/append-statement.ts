import { createHash } from 'node:crypto';
import { erased } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import type { AppendGuard, InlineView } from './view.ts';

/** Needs of a batch beside its events: the statement has only the steps that are used. */
export interface BatchShape {
  /** Whether a group has more than one event. */
  readonly rest: boolean;
  /** Whether a command has a `once` key. */
  readonly keys: boolean;
  /** Guards that are asked and views that have rows, by their place in the lists. */
  readonly guards: readonly number[];
  readonly views: readonly number[];
}

/**
 * A prepared statement. Parameters: events, the generation that they were decided in (0: not known), `once` keys if any,
 * then one for each guard, then one for each view.
 */
export interface AppendStatement {
  readonly name: string;
  readonly text: string;
}

/** The statements that append batches; each shape has one, made when it is first met. */
export function appendStatements(
  schema: string,
  guards: readonly AppendGuard[],
  views: readonly InlineView[],
): (shape: BatchShape) => AppendStatement {
  const made = new Map<string, AppendStatement>();
  return (shape) => {
    const key = JSON.stringify(shape);
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = inSchema(statementText(shape, guards, views), schema);
    const statement = { name: `append_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, text };
    made.set(key, statement);
    return statement;
  };
}

/**
 * The steps depend on each other's results, so PostgreSQL runs them in this order:
 * 0. nothing is done in another generation than the events were decided in: what they were made of may be gone;
 * 1. what is known to be in vain (version taken, `once` key used) is left out, so that it takes no guard's place;
 * 2. guards grant under their row locks;
 * 3. the first event of each group goes in behind the very event that it was decided on, unless its version is taken
 *    meanwhile, in the order of the streams' names, so that two batches never wait for each other;
 * 4. the rest of the events, the `once` keys and the views' rows of the groups whose first event went in.
 * It answers with what became of each group, and with the places of the events that went in.
 * A command that a guard granted and a rival overtook after all rolls back the whole statement (SQLSTATE MG001), as
 * does a `once` key used by a rival at the same moment (23505); then each group is written alone.
 */
function statementText(shape: BatchShape, guards: readonly AppendGuard[], views: readonly InlineView[]): string {
  let parameter = 2;
  const next = (): string => `$${(parameter += 1)}::jsonb`;
  const checked = shape.keys || shape.guards.length > 0;
  const steps = [
    `given AS MATERIALIZED (
       SELECT x.*, j.generation FROM {schema}.journal j CROSS JOIN jsonb_to_recordset($1::jsonb)
         AS x(c int, s text, b int, p bigint, n int, t text, v smallint, i bigint, d jsonb, m jsonb, a bigint)
        WHERE $2::int IN (0, j.generation))`,
    ...(shape.keys ? keySteps(next()) : []),
    ...(checked ? [candidates(shape.keys)] : []),
    ...shape.guards.flatMap((at) => guardSteps(guards[at] as AppendGuard, at, next())),
    ...(shape.guards.length > 0 ? [granted(shape.guards)] : []),
    firstStep(shape.guards.length > 0 ? 'granted' : checked ? 'candidates' : undefined),
    appendedStep,
    ...(shape.rest ? [restStep] : []),
    writtenStep(shape.rest),
    ...(shape.keys ? [usedStep] : []),
    ...shape.views.flatMap((at) => viewSteps(views[at] as InlineView, at, next())),
  ];
  return `WITH ${steps.join(',\n')}\n${outcomes(shape)}`;
}

const columns = 'generation, stream, version, type, schema_version, append_id, data, metadata, at';
const values = (version: string): string =>
  `g.generation, g.s, g.b + ${version}, g.t, g.v, g.i, g.d, g.m, to_timestamp(g.a / 1000.0)`;
const ofAppended = (column: string): string => `${column} = ANY ((SELECT a.commands FROM appended a)::int[])`;

const placeColumns = 'stream, version, generation, position';

/** The event that it was decided on is there: neither deleted nor lost with what a standby lacked. */
const behindItsLast = `(g.b = 0 OR EXISTS (
  SELECT FROM {schema}.events e WHERE e.stream = g.s AND e.version = g.b AND e.append_id = g.p))`;

const firstStep = (from: string | undefined): string => `first AS (
  INSERT INTO {schema}.events (${columns})
  SELECT ${values('1')} FROM given g
   WHERE g.n = 1 ${from === undefined ? `AND ${behindItsLast}` : `AND g.c = ANY (ARRAY(SELECT k.c FROM ${from} k))`} ORDER BY g.s
  ON CONFLICT ON CONSTRAINT events_stream_version DO NOTHING RETURNING append_id, ${placeColumns})`;

/** The numbers of the groups whose first event went in. Arrays of numbers, as joining relations this small costs more. */
const appendedStep = `appended AS MATERIALIZED (
  SELECT coalesce(array_agg(g.c), '{}') AS commands FROM given g
   WHERE g.n = 1 AND g.i = ANY (ARRAY(SELECT f.append_id FROM first f)))`;

const restStep = `rest AS (
  INSERT INTO {schema}.events (${columns})
  SELECT ${values('g.n')} FROM given g WHERE g.n > 1 AND ${ofAppended('g.c')} ORDER BY g.s, g.n
  RETURNING ${placeColumns})`;

const writtenStep = (rest: boolean): string =>
  `written AS (SELECT ${placeColumns} FROM first${rest ? ` UNION ALL SELECT ${placeColumns} FROM rest` : ''})`;

const placesOf = `pg_current_xact_id_if_assigned()::text AS transaction_id,
  (SELECT max(w.generation) FROM written w) AS generation,
  ARRAY(SELECT w.position::text FROM written w WHERE w.stream = g.s ORDER BY w.version) AS positions`;

const keySteps = (parameter: string): string[] => [
  `keys AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(${parameter}) AS x(c int, k text, a bigint))`,
  `repeated AS MATERIALIZED (SELECT k.c FROM keys k WHERE EXISTS (SELECT FROM {schema}.once o WHERE o.key = k.k))`,
];

const usedStep = `used AS (
  INSERT INTO {schema}.once (key, at) SELECT k.k, to_timestamp(k.a / 1000.0) FROM keys k WHERE ${ofAppended('k.c')} ORDER BY k.k)`;

const candidates = (keys: boolean): string => `candidates AS MATERIALIZED (
  SELECT g.c FROM given g
   WHERE g.n = 1 AND NOT EXISTS (SELECT FROM {schema}.events e WHERE e.stream = g.s AND e.version = g.b + 1)
     AND ${behindItsLast}
     ${keys ? 'AND g.c NOT IN (SELECT r.c FROM repeated r)' : ''})`;

function guardSteps(guard: AppendGuard, at: number, parameter: string): string[] {
  const requests = `guard_${at}_requests`;
  const withRequests = (sql: string): string => sql.replaceAll('{requests}', requests);
  return [
    `${requests} AS MATERIALIZED (
       SELECT x.command, x.request FROM jsonb_to_recordset(${parameter}) AS x(command int, request jsonb)
        WHERE x.command IN (SELECT k.c FROM candidates k) ORDER BY x.command)`,
    ...(guard.before ?? []).map(([name, sql]) => `${name} AS (${withRequests(sql)})`),
    `guard_${at} AS (${withRequests(guard.sql)})`,
  ];
}

/** The candidates that no guard was asked for, or whose guard said yes. */
function granted(guards: readonly number[]): string {
  const asked = guards.map((at) => `SELECT command FROM guard_${at}_requests`).join(' UNION ALL ');
  const yes = guards.map((at) => `SELECT command FROM guard_${at}`).join(' UNION ALL ');
  return `asked AS MATERIALIZED (${asked}),
    yes AS MATERIALIZED (${yes}),
    granted AS MATERIALIZED (
      SELECT k.c FROM candidates k
       WHERE k.c NOT IN (SELECT command FROM asked) OR k.c IN (SELECT command FROM yes))`;
}

function viewSteps(view: InlineView, at: number, parameter: string): string[] {
  const rows = `view_${at}_rows`;
  return [
    `${rows} AS MATERIALIZED (
       SELECT x.command, x.ordinal, x.row FROM jsonb_to_recordset(${parameter}) AS x(command int, ordinal int, row jsonb)
        WHERE ${ofAppended('x.command')} ORDER BY x.ordinal)`,
    `view_${at} AS (${view.sql.replaceAll('{rows}', rows)})`,
  ];
}

function outcomes({ keys, guards }: BatchShape): string {
  if (!keys && guards.length === 0)
    return `SELECT g.c AS command, 'appended' AS outcome, ${placesOf}
      FROM given g WHERE g.n = 1 AND ${ofAppended('g.c')}`;
  const cases = [
    `WHEN g.c = ANY (a.commands) THEN 'appended'`,
    ...(keys ? [`WHEN g.c IN (SELECT r.c FROM repeated r) THEN 'repeated'`] : []),
    ...(guards.length > 0
      ? [
          `WHEN g.c IN (SELECT command FROM asked) AND g.c NOT IN (SELECT command FROM yes) THEN 'guarded'`,
          `WHEN g.c IN (SELECT command FROM yes) THEN {schema}.append_again()`,
        ]
      : []),
  ];
  return `SELECT g.c AS command, CASE ${cases.join(' ')} ELSE 'conflict' END AS outcome, ${placesOf}
    FROM given g CROSS JOIN appended a WHERE g.n = 1`;
}

/** Stands for `erased` in rows and data that are written again: PostgreSQL's texts cannot hold the mark itself. */
const erasedText = '[erased]';

const erasedJson = JSON.stringify(erased);
const refused = /\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const unescaped = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Whether PostgreSQL keeps this as it is. */
export function isKeptAsIs(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, field]) => isKeptAsIs(name) && isKeptAsIs(field));
}

/**
 * JSON that PostgreSQL's jsonb takes: it refuses NUL and halves of surrogate pairs, which texts cut by others can
 * hold; both become U+FFFD. (`JSON.stringify` writes only such halves as escapes.)
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return refused.test(text)
    ? text.replaceAll(erasedJson, JSON.stringify(erasedText)).replace(unescaped, '$1\\ufffd')
    : text;
}
