import { standing } from '@messaging-gateway/leases';
import { tables, type Table } from '../session-data-store.ts';

/** One value of one profile; the id as hex. */
export interface Row {
  readonly profileId: string;
  readonly table: Table;
  readonly id: string;
  readonly value: Buffer | undefined;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const tableNumber = (table: Table): number => tables.indexOf(table) + 1;

/** Values travel as one block and are cut by the server: an array of them would travel as text, twice as long. */
const writing = `
  WITH standing AS MATERIALIZED (${standing('$1', '$2')}),
  put AS (
    INSERT INTO session_data (profile_id, room, id, value)
    SELECT w.profile_id, w.room, decode(w.id, 'hex'), substring($8::bytea FROM w.place FOR w.size)
    FROM unnest($3::uuid[], $4::smallint[], $5::text[], $6::int[], $7::int[]) AS w(profile_id, room, id, place, size)
    JOIN standing ON standing.key = w.profile_id::text
    ON CONFLICT (profile_id, room, id) DO UPDATE SET value = excluded.value
  ),
  gone AS (
    DELETE FROM session_data d USING unnest($9::uuid[], $10::smallint[], $11::text[]) AS w(profile_id, room, id), standing
    WHERE standing.key = w.profile_id::text AND d.profile_id = w.profile_id AND d.room = w.room AND d.id = decode(w.id, 'hex')
  )
  SELECT key FROM standing`;

/**
 * Writes rows of several profiles, each profile all or nothing: only where the lease stands with that epoch. Answers
 * with the profiles whose lease stands.
 *
 * @param epochs of each profile that has rows
 * @param rows where one is named twice the last one counts
 */
export function writeStatement(epochs: ReadonlyMap<string, number>, rows: readonly Row[]): Statement {
  const last = [...new Map(rows.map((row) => [`${row.profileId} ${row.table} ${row.id}`, row])).values()];
  const put = last.flatMap(({ value, ...row }) => (value === undefined ? [] : [{ ...row, value }]));
  const gone = last.filter(({ value }) => value === undefined);
  let end = 1;
  const places = put.map(({ value }) => (end += value.length) - value.length);
  const values = [
    [...epochs.keys()],
    [...epochs.values()],
    ...columns(put),
    places,
    put.map(({ value }) => value.length),
    Buffer.concat(put.map(({ value }) => value)),
    ...columns(gone),
  ];
  return { text: writing, values };
}

/** Answers with `n`, counted from 1, and `value` for each row that is there. */
export const readStatement = (rows: readonly Omit<Row, 'value'>[]): Statement => ({
  text: `
    SELECT w.n::int AS n, d.value FROM unnest($1::uuid[], $2::smallint[], $3::text[]) WITH ORDINALITY AS w(profile_id, room, id, n)
    JOIN session_data d ON d.profile_id = w.profile_id AND d.room = w.room AND d.id = decode(w.id, 'hex')`,
  values: columns(rows),
});

/** Answers with `id` of each profile that has rows: a step through the primary key for each, however many rows it has. */
export const profilesStatement = `
  WITH RECURSIVE found AS (
    (SELECT profile_id AS id FROM session_data ORDER BY profile_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.profile_id FROM session_data d WHERE d.profile_id > found.id ORDER BY d.profile_id LIMIT 1)
      FROM found WHERE found.id IS NOT NULL
  )
  SELECT id FROM found WHERE id IS NOT NULL`;

const columns = (rows: readonly Omit<Row, 'value'>[]): [string[], number[], string[]] => [
  rows.map(({ profileId }) => profileId),
  rows.map(({ table }) => tableNumber(table)),
  rows.map(({ id }) => id),
];
