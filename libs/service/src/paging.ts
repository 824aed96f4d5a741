import { invalid, type Refused } from '@messaging-gateway/messaging';
import type { Conditions } from './conditions.ts';
import type { Sql } from './sql.ts';

/**
 * Where a page ended: the sort key of its last item. Texts, times in ISO 8601 with milliseconds, whole numbers, 0 and 1
 * for flags.
 */
export type CursorPlace = readonly (string | number)[];

/** An opaque cursor. */
export const encodeCursor = (place: CursorPlace): string => Buffer.from(JSON.stringify(place)).toString('base64url');

const kinds = {
  id: (value: unknown) => typeof value === 'string' && uuidForm.test(value),
  time: (value: unknown) => typeof value === 'string' && isIso(value),
  text: (value: unknown) => typeof value === 'string' && !value.includes('\0'),
  number: (value: unknown) => Number.isSafeInteger(value),
  flag: (value: unknown) => value === 0 || value === 1,
};
const isIso = (text: string): boolean => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
};
/** Type of a sort key's value. */
export type CursorKind = keyof typeof kinds;
/** PostgreSQL's type of the value when it comes back in a cursor. */
export const columnTypes: Readonly<Record<CursorKind, string>> = {
  id: 'uuid',
  time: 'timestamptz',
  text: 'text',
  number: 'bigint',
  flag: 'int::boolean',
};
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The place that a cursor stands for; undefined for the first page.
 *
 * @param fields what the values of the sort key are
 * @throws Refused VALIDATION_ERROR when this list gave no such cursor
 */
export function decodeCursor(cursor: unknown, fields: readonly CursorKind[]): CursorPlace | undefined {
  if (cursor === undefined) return undefined;
  const place = typeof cursor === 'string' ? parse(cursor) : undefined;
  const fits =
    Array.isArray(place) &&
    place.length === fields.length &&
    fields.every((field, index) => kinds[field](place[index]));
  if (!fits) {
    throw cursorRefused();
  }
  return place as CursorPlace;
}

/** Of a cursor that no page of the list gave. */
export const cursorRefused = (): Refused =>
  invalid([{ path: 'query.cursor', message: 'must be the nextCursor of a page' }]);

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/**
 * A page out of rows that were read with one more than the limit, so that it is known whether there is another.
 *
 * @param placeOf sort key of a row
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => CursorPlace,
  show: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(placeOf(last)) : null,
  };
}

/** One column of the order of a list. */
export interface SortKey<Row> {
  readonly column: string;
  readonly kind: CursorKind;
  readonly of: (row: Row) => string | number;
}

export interface PageQuery<Row> {
  /** Up to `WHERE`. */
  readonly select: string;
  readonly where: Conditions;
  /** Keys that name a row among all, in its order. */
  readonly order: readonly SortKey<Row>[];
  readonly descending?: boolean;
  readonly query: { readonly limit?: number; readonly cursor?: string };
  /** Default 50. */
  readonly usual?: number;
}

/**
 * A page of a list. Each choice of conditions is a text of its own, so PostgreSQL plans for what is asked, and knows
 * the limit.
 *
 * @throws Refused VALIDATION_ERROR when this list gave no such cursor
 */
export async function readPage<Row extends object>(
  sql: Sql,
  { select, where, order, descending = false, query, usual = 50 }: PageQuery<Row>,
): Promise<{ items: Row[]; nextCursor: string | null }> {
  const { limit = usual } = query;
  const place = decodeCursor(
    query.cursor,
    order.map(({ kind }) => kind),
  );
  const columns = order.map(({ column }) => column);
  const bounds = order.map(({ kind }, index) => `$${where.values.length + 1 + index}::${columnTypes[kind]}`);
  const beyond =
    place === undefined ? '' : `AND (${columns.join(', ')}) ${descending ? '<' : '>'} (${bounds.join(', ')})`;
  const sorted = columns.map((column) => (descending ? `${column} DESC` : column)).join(', ');
  const rows = await sql.query<Row>(
    `${select} WHERE ${where.text} ${beyond} ORDER BY ${sorted} LIMIT ${limit + 1}`,
    place === undefined ? where.values : [...where.values, ...place],
  );
  return pageOf(
    rows,
    limit,
    (row) => order.map(({ of }) => of(row)),
    (row) => row,
  );
}
