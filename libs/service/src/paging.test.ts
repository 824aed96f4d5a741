import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { allOf } from './conditions.ts';
import { decodeCursor, encodeCursor, pageOf, readPage, type SortKey } from './paging.ts';
import { sqlOn } from './sql.ts';

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

describe('a value that the database does not take', () => {
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

describe('a list that is read page by page', () => {
  interface Row {
    readonly id: number;
    readonly pinned: boolean | null;
    readonly at: Date;
  }
  const order: readonly SortKey<Row>[] = [
    { column: 'pinned IS TRUE', kind: 'flag', of: ({ pinned }) => (pinned === true ? 1 : 0) },
    { column: 'at', kind: 'time', of: ({ at }) => at.toISOString() },
    { column: 'id', kind: 'number', of: ({ id }) => id },
  ];
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ connectionString: database.url });
    await pool.query(`CREATE TABLE rows AS SELECT n AS id, nullif(n % 5 = 0, n % 10 = 1) AS pinned,
      timestamptz '2026-01-01Z' + n / 3 * interval '1 ms' AS at FROM generate_series(1, 50) n`);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it.each([true, false])(
    'holds each row once, in its order, and none that is not asked for: descending %s',
    async (descending) => {
      const where = allOf([
        ['id > $1', 3],
        ['id % $1 <> 0', 7],
      ]);
      const ids: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await readPage<Row>(sqlOn(pool), {
          select: 'SELECT id, pinned, at FROM rows',
          where,
          order,
          descending,
          query: { limit: 4, ...(cursor !== undefined && { cursor }) },
        });
        expect(page.items.length).toBeLessThanOrEqual(4);
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const wanted = Array.from({ length: 47 }, (_, index) => index + 4).filter((id) => id % 7 !== 0);
      const keyOf = (id: number): number => (id % 5 === 0 ? 1000 : 0) + id;
      wanted.sort((one, other) => (keyOf(one) - keyOf(other)) * (descending ? -1 : 1));
      expect(ids).toEqual(wanted);
    },
  );

  it('has fifty on a page unless somebody says otherwise, and refuses a cursor of another list', async () => {
    const list = { select: 'SELECT id, pinned, at FROM rows', where: allOf([['true']]), order };
    expect((await readPage<Row>(sqlOn(pool), { ...list, query: {} })).items).toHaveLength(50);
    await expect(
      readPage(sqlOn(pool), { ...list, query: { cursor: encodeCursor([2, time, 1]) } }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
