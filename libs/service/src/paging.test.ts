import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor, pageOf } from './paging.ts';

const time = '2026-01-01T00:00:00.000Z';

describe('a cursor', () => {
  it('leads back to its place', () =>
    expect(decodeCursor(encodeCursor([time, 7, 'x']), ['time', 'number', 'text'])).toEqual([time, 7, 'x']));
  it('is absent on the first page', () => expect(decodeCursor(undefined, ['id'])).toBeUndefined());
  it.each([
    '',
    'x',
    encodeCursor(['only one']),
    encodeCursor([time, 'no id']),
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[{},1]').toString('base64url'),
  ])('is refused when no page gave it: %j', (cursor) =>
    expect(() => decodeCursor(cursor, ['time', 'id'])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' })),
  );
});

describe('what the database does not take', () => {
  it.each([
    ['time', '2026-01-01 (new year)'],
    ['number', 1.5],
    ['number', 1e300],
    ['text', 'a\0b'],
  ] as const)('is no %s of a cursor: %j', (kind, value) =>
    expect(() => decodeCursor(encodeCursor([value]), [kind])).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    ),
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
