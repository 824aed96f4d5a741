import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, testClock, type TestClock } from '@messaging-gateway/runtime';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { attending, DueRows } from './due-rows.ts';
import type { Running } from './running.ts';
import { sqlOn } from './sql.ts';

interface Task {
  readonly id: number;
  readonly owner: string;
}

let database: TestDatabase;
let pool: Pool;
let clock: TestClock;
let replicas: Running[] = [];
beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url });
  await pool.query(
    'CREATE TABLE tasks (id int PRIMARY KEY, owner text NOT NULL, due timestamptz, done int NOT NULL DEFAULT 0)',
  );
});
beforeEach(() => {
  clock = testClock();
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((one) => one.stop()));
  await pool.query('TRUNCATE tasks');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const table = { table: 'tasks', key: 'id', due: 'due', owner: 'owner', columns: 'id, owner' };
const rowsOf = (): DueRows<Task> => new DueRows(sqlOn(pool), table);
/** `count` tasks from an id on, one due a millisecond after the other from now on, or from another time. */
const add = async (owner: string, from: number, count: number, due = clock.now()): Promise<void> => {
  await pool.query(
    `INSERT INTO tasks SELECT n, $1, $2::timestamptz + (n - $3) * interval '1 ms' FROM generate_series($3::int, $3::int + $4::int - 1) n`,
    [owner, new Date(due - count), from, count],
  );
};
const done = (id: number): Promise<unknown> =>
  pool.query('UPDATE tasks SET due = NULL, done = done + 1 WHERE id = $1', [id]);
const left = async (): Promise<number> =>
  (await pool.query<{ id: number }>('SELECT id FROM tasks WHERE due IS NOT NULL')).rows.length;

/** A replica that attends to tasks. */
async function replica(attend: (task: Task) => Promise<unknown>, atOnce = 100) {
  const job = attending({
    name: 'tasks',
    clock,
    rows: rowsOf(),
    attend: async (task: Task) => void (await attend(task)),
    atOnce,
  });
  const metrics = new Registry();
  const running = job.running({ service: 'tests', clock, log: silentLogger, metrics, pool });
  replicas.push(running);
  await running.start();
  return { job, metrics };
}

describe('due rows', () => {
  it('are claimed for no more places than an owner has', async () => {
    await add('a', 1, 20);
    await add('b', 101, 20);
    await add('c', 201, 2);
    const claim = async (places: { usual: number; of: ReadonlyMap<string, number> }): Promise<string> =>
      (await rowsOf().claim(clock.now(), 100, places))
        .map(({ owner, id }) => `${owner}${id}`)
        .toSorted()
        .join(' ');
    const of = new Map([
      ['a', 1],
      ['b', 0],
    ] as const);
    expect(await claim({ usual: 4, of })).toBe('a1 c201 c202');
    expect(await claim({ usual: 2, of: new Map() })).toBe('a2 a3 b101 b102');
  });

  it('are attended to once by one of several replicas, and not before their time', async () => {
    await add('a', 1, 250);
    await add('a', 1000, 1, clock.now() + 60_000);
    await Promise.all([1, 2, 3].map(() => replica(({ id }) => done(id), 20)));
    await eventually(async () => ((await left()) === 1 ? true : undefined));
    expect((await pool.query('SELECT id FROM tasks WHERE done <> 1')).rows).toEqual([{ id: 1000 }]);
    clock.advance(60_000);
    await eventually(async () => ((await left()) === 0 ? true : undefined));
  });

  it('of a process that was killed meanwhile are taken up by another when the claim has run out', async () => {
    await add('a', 1, 10);
    const killed = await rowsOf().claim(clock.now(), 6);
    expect(killed).toHaveLength(6);
    await replica(({ id }) => done(id));
    await eventually(async () => ((await left()) === 6 ? true : undefined));
    clock.advance(4_000);
    await eventually(async () => ((await left()) === 0 ? true : undefined));
  });

  it('that fail again and again are counted and hold up no others', async () => {
    await add('a', 1, 40);
    await add('b', 100, 5);
    const tries = new Map<number, number>();
    const { metrics } = await replica(async ({ id, owner }) => {
      tries.set(id, (tries.get(id) ?? 0) + 1);
      if (owner === 'a') throw new Error('Never.');
      await done(id);
    }, 10);
    await eventually(async () => ((await left()) === 40 ? true : undefined));
    while (Math.max(...tries.values()) < 3) {
      clock.advance(1_000);
      await clock.sleep(10);
    }
    const failed = [...tries].filter(([id]) => id < 100).map(([, times]) => times);
    expect(failed).toHaveLength(40);
    expect(await metrics.metrics()).toMatch(/job_faults_total\{service="tests",job="tasks"\} \d/);
  });

  it('of one owner, however many, keep those of another waiting for no more than a turn', async () => {
    await add('many', 1, 500);
    await add('few', 1000, 3, clock.now());
    const order: string[] = [];
    await replica(async ({ id, owner }) => {
      order.push(owner);
      await done(id);
    }, 10);
    await eventually(async () => (order.length >= 503 ? true : undefined));
    expect(order.slice(0, 10).filter((owner) => owner === 'few')).toHaveLength(3);
  });

  it('that are more than there are places make it crowded, until all of them have one', async () => {
    await add('a', 1, 3);
    const gate = Promise.withResolvers<void>();
    const seen: boolean[] = [];
    const { job } = await replica(async ({ id }) => {
      await gate.promise;
      seen.push(job.isCrowded);
      await done(id);
    }, 2);
    await eventually(async () => (job.isCrowded ? true : undefined));
    gate.resolve();
    await eventually(async () => ((await left()) === 0 ? true : undefined));
    expect(seen.slice(0, 2)).toEqual([true, true]);
    await eventually(async () => {
      job.wake();
      return job.isCrowded ? undefined : true;
    });
  });

  it('that take long hold up no others, and a stop waits for what is being done', async () => {
    await add('a', 1, 1);
    const gate = Promise.withResolvers<void>();
    const { job } = await replica(async ({ id }) => {
      if (id === 1) await gate.promise;
      await done(id);
    });
    expect(job.startedAt).toBeLessThanOrEqual(clock.now());
    await add('a', 2, 1);
    job.wake();
    await eventually(async () => ((await left()) === 1 ? true : undefined));
    const stopped = Promise.all(replicas.splice(0).map((one) => one.stop()));
    gate.resolve();
    await stopped;
    expect(await left()).toBe(0);
  });
});
