import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, pageOf } from './paging.ts';

describe('a cursor', () => {
  it('leads back to its place', () =>
    expect(decodeCursor(encodeCursor(['2026-01-01', 7]), ['time', 'number'])).toEqual(['2026-01-01', 7]));
  it('is absent on the first page', () => expect(decodeCursor(undefined, ['id'])).toBeUndefined());
  it.each([
    '',
    'x',
    encodeCursor(['only one']),
    encodeCursor(['2026-01-01', 'no id']),
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[{},1]').toString('base64url'),
  ])('is refused when no page gave it: %j', (cursor) =>
    expect(() => decodeCursor(cursor, ['time', 'id'])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' })),
  );
});

describe('a page', () => {
  const page = (count: number) =>
    pageOf(
      Array.from({ length: count }, (_, index) => index),
      3,
      (row) => [row],
      (row) => `item ${row}`,
    );
  it('names the next one when there is more', () => {
    expect(page(4).items).toEqual(['item 0', 'item 1', 'item 2']);
    expect(decodeCursor(page(4).nextCursor, ['number'])).toEqual([2]);
  });
  it('is the last one otherwise', () =>
    expect(page(3)).toEqual({ items: ['item 0', 'item 1', 'item 2'], nextCursor: null }));
});
