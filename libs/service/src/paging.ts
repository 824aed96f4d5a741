import { Refused } from '@messaging-gateway/messaging';

/** What a keyset cursor holds: the sort values of the last row of a page. */
export type CursorValue = string | number | boolean | null;

export const defaultPageSize = 50;

/** An opaque cursor: the page after the row with these sort values. */
export function encodeCursor(values: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Reads a cursor back.
 *
 * @param length how many values it must hold
 * @throws Refused VALIDATION_ERROR naming `query.cursor` when it is none of ours
 */
export function decodeCursor(cursor: string, length: number): readonly CursorValue[] {
  const values = parsed(cursor);
  const fits = Array.isArray(values) && values.length === length && values.every((value) => value === null || typeof value !== 'object');
  if (!fits) throw new Refused('VALIDATION_ERROR', 'The request is not valid.', [{ path: 'query.cursor', message: 'is not a cursor of this list' }]);
  return values as readonly CursorValue[];
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Makes a page of rows that were read with one more than the limit.
 *
 * @param keyOf sort values of a row
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly CursorValue[],
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(itemOf), nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}
