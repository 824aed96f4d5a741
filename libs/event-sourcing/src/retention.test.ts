import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testClock } from '@messaging-gateway/runtime';
import { counter } from './counter.fixture.ts';
import { applyRetention } from './index.ts';
import type { JournalPlace } from './index.ts';
import { metadata, triedJournal } from './tried-journal.fixture.ts';
import type { TriedJournal } from './tried-journal.fixture.ts';

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
});
