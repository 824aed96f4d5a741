import { standing } from '@messaging-gateway/leases';
import { rooms, type Room } from '../session-data-store.ts';

/** One value of one profile; the id as hex. */
export interface Row {
  readonly profileId: string;
  readonly room: Room;
  readonly id: string;
  readonly value: Buffer | undefined;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const roomNumber = (room: Room): number => rooms.indexOf(room) + 1;

/** Values travel as one block and are cut by the server: an array of them would travel as text, twice as long. */
const writing = `
  with standing as materialized (${standing('$1', '$2')}),
  put as (
    insert into session_data (profile_id, room, id, value)
    select w.profile_id, w.room, decode(w.id, 'hex'), substring($8::bytea from w.place for w.size)
    from unnest($3::uuid[], $4::smallint[], $5::text[], $6::int[], $7::int[]) as w(profile_id, room, id, place, size)
    join standing on standing.key = w.profile_id::text
    on conflict (profile_id, room, id) do update set value = excluded.value
  ),
  gone as (
    delete from session_data d using unnest($9::uuid[], $10::smallint[], $11::text[]) as w(profile_id, room, id), standing
    where standing.key = w.profile_id::text and d.profile_id = w.profile_id and d.room = w.room and d.id = decode(w.id, 'hex')
  )
  select key from standing`;

/**
 * Writes rows of several profiles, each profile all or nothing: only where the lease stands with that epoch. Answers
 * with the profiles whose lease stands.
 *
 * @param epochs of each profile that has rows
 * @param rows where one is named twice the last one counts
 */
export function writeStatement(epochs: ReadonlyMap<string, number>, rows: readonly Row[]): Statement {
  const last = [...new Map(rows.map((row) => [`${row.profileId} ${row.room} ${row.id}`, row])).values()];
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
    select w.n::int as n, d.value from unnest($1::uuid[], $2::smallint[], $3::text[]) with ordinality as w(profile_id, room, id, n)
    join session_data d on d.profile_id = w.profile_id and d.room = w.room and d.id = decode(w.id, 'hex')`,
  values: columns(rows),
});

/** Answers with `id` of each profile that has rows: a step through the primary key for each, however many rows it has. */
export const profilesStatement = `
  with recursive found as (
    (select profile_id as id from session_data order by profile_id limit 1)
    union all
    select (select d.profile_id from session_data d where d.profile_id > found.id order by d.profile_id limit 1)
      from found where found.id is not null
  )
  select id from found where id is not null`;

const columns = (rows: readonly Omit<Row, 'value'>[]): [string[], number[], string[]] => [
  rows.map(({ profileId }) => profileId),
  rows.map(({ room }) => roomNumber(room)),
  rows.map(({ id }) => id),
];
