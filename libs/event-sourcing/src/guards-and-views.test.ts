import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { counter } from './testing/counter.ts';
import type { AppendGuard } from './view.ts';
import { totalsView, viewTables } from './testing/totals-view.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';

/** A place in a day's limit, as a lane would give it. */
const limit: AppendGuard = {
  name: 'limit',
  before: [
    [
      'lane_locked',
      "SELECT id, used, most FROM {schema}.lanes WHERE id IN (SELECT request->>'lane' FROM {requests}) ORDER BY id FOR UPDATE",
    ],
    [
      'lane_granted',
      `SELECT asked.command, locked.id FROM (
         SELECT command, request->>'lane' AS lane, row_number() OVER (PARTITION BY request->>'lane' ORDER BY command) AS place FROM {requests}
       ) asked JOIN lane_locked locked ON locked.id = asked.lane WHERE locked.used + asked.place <= locked.most`,
    ],
    [
      'lane_taken',
      `UPDATE {schema}.lanes SET used = used + granted.places
         FROM (SELECT id, count(*)::int AS places FROM lane_granted GROUP BY id) granted WHERE lanes.id = granted.id RETURNING lanes.id`,
    ],
  ],
  sql: 'SELECT command FROM lane_granted WHERE id IN (SELECT id FROM lane_taken)',
};

let journal: TriedJournal;
let replicas: Replica[];
beforeAll(async () => {
  journal = await triedJournal(`
    CREATE TABLE tried.lanes (id text PRIMARY KEY, used int NOT NULL, most int NOT NULL);${viewTables}`);
  replicas = [0, 1, 2].map(() => journal.replica({ guards: [limit], inlineViews: [totalsView] }));
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await journal.end();
});

const lane = async (id: string, most: number): Promise<void> =>
  void (await journal.pool.query('INSERT INTO tried.lanes VALUES ($1, 0, $2)', [id, most]));
const used = async (id: string): Promise<unknown> =>
  (await journal.pool.query('SELECT used FROM tried.lanes WHERE id = $1', [id])).rows[0].used;
const send = (replica: Replica, id: string, laneId: string) =>
  replica.store.handle(
    counter,
    id,
    { type: 'Mark', mark: 'sent' },
    { metadata, guard: { name: 'limit', request: { lane: laneId } } },
  );
const anyOf = (index: number): Replica => replicas[index % 3] as Replica;

describe('a guard', () => {
  it('grants exactly as many as there is room for, across replicas', async () => {
    await lane('p1', 20);
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => send(anyOf(index), `p1-${index}`, 'p1')));
    expect(all.filter((one) => one.outcome === 'appended')).toHaveLength(20);
    expect(all.filter((one) => one.outcome === 'guarded')).toHaveLength(30);
    expect(await used('p1')).toBe(20);
  });

  it('gives one place to a command that comes several times at once', async () => {
    await lane('p2', 20);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, message) =>
        [0, 1, 2].map((index) => send(anyOf(index), `p2-${message}`, 'p2')),
      ).flat(),
    );
    expect(all.filter((one) => one.outcome === 'appended')).toHaveLength(10);
    expect(all.filter((one) => one.outcome === 'nothing')).toHaveLength(20);
    expect(await used('p2')).toBe(10);
  });

  it('is not asked when nothing is appended', async () => {
    await lane('p3', 1);
    await send(anyOf(0), 'p3-1', 'p3');
    expect((await send(anyOf(1), 'p3-1', 'p3')).outcome).toBe('nothing');
    expect((await send(anyOf(1), 'p3-2', 'p3')).outcome).toBe('guarded');
    expect((await anyOf(0).store.load(counter, 'p3-2')).version).toBe(0);
    expect(await used('p3')).toBe(1);
  });
});

describe('an inline view', () => {
  it('holds what was appended, never more or less', async () => {
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        anyOf(index).store.handle(counter, `v${index % 7}`, { type: 'Count', by: 1 }, { metadata }),
      ),
    );
    expect(all.every((one) => one.outcome === 'appended')).toBe(true);
    const { rows } = await journal.pool.query(
      "SELECT sum(total)::int AS total FROM tried.totals WHERE id LIKE 'counter-v%'",
    );
    expect(rows[0].total).toBe(300);
  });

  it('fails only the command whose rows it cannot take', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        anyOf(0).store.handle(
          counter,
          `bad${index % 10}`,
          { type: 'Count', by: index === 15 ? 5000 : 1 },
          { metadata },
        ),
      ),
    );
    expect(all.filter((one) => one.status === 'rejected')).toHaveLength(1);
    expect(all[15]).toMatchObject({ status: 'rejected', reason: { code: '23514' } });
    expect((await anyOf(1).store.load(counter, 'bad5')).state.total).toBe(2);
  });

  it('takes texts that PostgreSQL would refuse', async () => {
    await anyOf(0).store.handle(counter, 'text', { type: 'Mark', mark: 'a\u0000b\ud83dc\\u0000' }, { metadata });
    expect((await anyOf(1).store.load(counter, 'text')).state.marks).toEqual(['a\ufffdb\ufffdc\\u0000']);
  });
});
