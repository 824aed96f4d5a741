import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testClock } from '@messaging-gateway/runtime';
import { counter } from './testing/counter.ts';
import { applyRetention, deleteStreams, readLine } from './index.ts';
import type { JournalPlace } from './index.ts';
import { viewSql } from './view-sql.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
beforeAll(async () => {
  journal = await triedJournal();
});
afterAll(() => journal.end());

const ending = { ...counter, name: 'ending', ends: true };

describe('retention', () => {
  it('deletes ended streams that are old and that everyone has read, and nothing else', async () => {
    const clock = testClock(Date.parse('2026-01-01T00:00:00Z'));
    const replica = journal.replica({ streams: [counter, ending], clock });
    const count = (type: typeof counter, id: string, once?: string) =>
      replica.store.handle(type, id, { type: 'Count', by: 1 }, { metadata, ...(once !== undefined && { once }) });
    await count(ending, 'old', 'old');
    await count(ending, 'goes-on');
    await count(counter, 'lasting');
    clock.advance(40 * 86_400_000);
    await count(ending, 'goes-on');
    await count(ending, 'new', 'new');
    const [first] = await replica.store.read(ending, 'old');
    const [, second] = await replica.store.read(ending, 'goes-on');

    const retain = (...readUpTo: (JournalPlace | undefined)[]) =>
      applyRetention({ pool: journal.pool, schema: 'tried', streams: [counter, ending], clock, days: 30, readUpTo });
    expect(await retain(undefined)).toBe(0);
    expect(await retain(first?.place, second?.place)).toBe(1);
    expect(await retain()).toBe(0);
    const { rows } = await journal.pool.query<{ stream: string }>(
      'SELECT DISTINCT stream FROM tried.events ORDER BY 1',
    );
    expect(rows.map((row) => row.stream)).toEqual(['counter-lasting', 'ending-goes-on', 'ending-new']);
    expect((await journal.pool.query('SELECT key FROM tried.once')).rows).toEqual([{ key: 'new' }]);
    await replica.close();
    const later = journal.replica({ streams: [counter, ending], clock });
    expect((await later.store.handle(ending, 'old', { type: 'Count', by: 1 }, { metadata })).version).toBe(1);
    await later.close();
  });

  it('goes on where it came to, and meets again what lived on or was not read', async () => {
    const clock = testClock(Date.parse('2027-01-01T00:00:00Z'));
    const streams = [counter, { ...ending, name: 'later' }];
    const [, later] = streams as [typeof counter, typeof ending];
    const replica = journal.replica({ streams: [...streams, ending], clock });
    const count = (id: string) => replica.store.handle(later, id, { type: 'Count', by: 1 }, { metadata });
    const retain = (...readUpTo: (JournalPlace | undefined)[]) =>
      applyRetention({ pool: journal.pool, schema: 'tried', streams: [...streams, ending], clock, days: 30, readUpTo });
    const placeOf = async (id: string) => (await replica.store.read(later, id)).at(-1)?.place;
    await retain();
    await count('first');
    await count('lives-on');
    await count('not-read');
    const read = await placeOf('lives-on');
    clock.advance(20 * 86_400_000);
    await count('lives-on');
    clock.advance(20 * 86_400_000);
    await count('young');
    expect(await retain(read)).toBe(1);
    expect(await retain(await placeOf('young'))).toBe(1);
    expect(await retain(await placeOf('young'))).toBe(0);
    clock.advance(15 * 86_400_000);
    expect(await retain(await placeOf('young'))).toBe(2);
    const { rows } = await journal.pool.query<{ name: string }>(
      "SELECT name FROM tried.checkpoints WHERE name LIKE 'retention %' ORDER BY 1",
    );
    expect(rows).toEqual([{ name: 'retention ending' }, { name: 'retention ending later' }]);
    await replica.close();
  });

  it('keeps what has not ended yet, whatever its age', async () => {
    const clock = testClock(Date.parse('2028-01-01T00:00:00Z'));
    const open = new Set(['waits']);
    const stillOpen = async (_: unknown, ids: readonly string[]) => ids.filter((id) => open.has(id));
    const waiting = { ...ending, name: 'waiting', stillOpen };
    const streams = [waiting];
    const replica = journal.replica({ streams: [counter, ending, ...streams], clock });
    const count = (id: string) => replica.store.handle(waiting, id, { type: 'Count', by: 1 }, { metadata });
    const retain = () =>
      applyRetention({
        pool: journal.pool,
        schema: 'tried',
        streams: [counter, ...streams],
        clock,
        days: 1,
        readUpTo: [],
      });
    await count('waits');
    await count('ended');
    clock.advance(2 * 86_400_000);
    expect(await retain()).toBe(1);
    expect(await replica.store.read(waiting, 'waits')).toHaveLength(1);
    open.clear();
    await count('waits');
    clock.advance(2 * 86_400_000);
    expect(await retain()).toBe(2);
    await replica.close();
  });

  it('deletes `once` keys in portions, and ends soon when it is asked to', async () => {
    const clock = testClock(Date.parse('2027-06-01T00:00:00Z'));
    await journal.pool.query(`
      DELETE FROM tried.once;
      CREATE TABLE tried.deleted (many int);
      CREATE FUNCTION tried.count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO tried.deleted SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER counted AFTER DELETE ON tried.once REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION tried.count_deleted();
      INSERT INTO tried.once SELECT 'old ' || n, '2020-01-01' FROM generate_series(1, 25000) n;
      INSERT INTO tried.once SELECT 'young ' || n, '2027-05-31' FROM generate_series(1, 10) n`);
    const options = { pool: journal.pool, schema: 'tried', streams: [counter], clock, days: 30, readUpTo: [] };
    const deleted = async () =>
      (await journal.pool.query<{ many: number }>('SELECT many FROM tried.deleted')).rows.map(({ many }) => many);
    await applyRetention({ ...options, signal: AbortSignal.abort() });
    expect(await deleted()).toEqual([]);
    await applyRetention(options);
    expect(await deleted()).toEqual([10_000, 10_000, 5_000]);
    expect((await journal.pool.query('SELECT key FROM tried.once')).rowCount).toBe(10);
  });

  it('deletes streams that their service names, whatever their age, but what somebody has not read', async () => {
    const replica = journal.replica();
    const sql = viewSql(journal.pool, 'tried');
    const streams = ['counter-named', 'counter-unread', 'counter-unknown'];
    const count = (id: string) => replica.store.handle(counter, id, { type: 'Count', by: 1 }, { metadata });
    await count('named');
    await count('kept');
    await count('unread');
    const place = (await replica.store.read(counter, 'named')).at(-1)?.place;
    const remove = async (...readUpTo: (JournalPlace | undefined)[]) =>
      deleteStreams(sql, 'tried', streams, { line: readLine(readUpTo) });
    expect(await remove(undefined, place)).toEqual({ streams: [], events: 0 });
    expect(await remove(place)).toEqual({ streams: ['counter-named', 'counter-unknown'], events: 1 });
    expect(await replica.store.read(counter, 'named')).toEqual([]);
    expect(await replica.store.read(counter, 'kept')).toHaveLength(1);
    expect(await replica.store.read(counter, 'unread')).toHaveLength(1);
    expect(await remove()).toMatchObject({ streams: expect.arrayContaining(['counter-unread']), events: 1 });
    // It knew them: they begin anew all the same.
    expect((await count('unread')).version).toBe(1);
    expect(await replica.store.load(counter, 'named')).toMatchObject({ version: 0, state: { total: 0 } });
    expect((await count('named')).state.total).toBe(1);
    await replica.close();
  });
});
