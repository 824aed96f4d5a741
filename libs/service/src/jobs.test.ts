import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { silentLogger, testClock, Unavailable, type Logger, type TestClock } from '@messaging-gateway/runtime';
import { eventually, testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { every, jobsRunning, type Job, type JobTools } from './jobs.ts';
import type { Running } from './running.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Said = readonly [level: string, message: string, fields: unknown];

function setUp(): { clock: TestClock; metrics: Registry; said: Said[]; begin: (...jobs: Job[]) => Running } {
  const [clock, metrics, said] = [testClock(), new Registry(), [] as Said[]];
  const noting =
    (level: string): Logger['warn'] =>
    (message, fields) =>
      void said.push([level, message, fields]);
  const log = { ...silentLogger, warn: noting('warn'), error: noting('error') };
  const tools: JobTools = { service: 'tests', clock, log, metrics, pool };
  return { clock, metrics, said, begin: (...jobs) => jobsRunning(jobs, tools) };
}

/** Work that counts how often it was begun, and ends when it is let go. */
function countedWork(): { begun: () => number; atOnce: () => number; letGo: () => void; work: () => Promise<void> } {
  let [begun, running, most] = [0, 0, 0];
  let gate = Promise.withResolvers<void>();
  return {
    begun: () => begun,
    atOnce: () => most,
    letGo: () => {
      gate.resolve();
      gate = Promise.withResolvers();
    },
    work: async () => {
      begun += 1;
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    },
  };
}

const until = (holds: () => boolean): Promise<unknown> => eventually(async () => (holds() ? true : undefined));

describe('a periodic job', () => {
  it('is done at the start and an interval after it has ended, by the clock, never twice at once', async () => {
    const { clock, begin } = setUp();
    const { begun, atOnce, letGo, work } = countedWork();
    const running = begin(every('1h', 'counting', work));
    await running.start();
    expect(begun()).toBe(1);
    clock.advance(3_000_000);
    letGo();
    await clock.sleep(10);
    expect(begun()).toBe(1);
    clock.advance(600_000);
    await until(() => begun() === 2);
    clock.advance(7_200_000);
    await clock.sleep(10);
    expect(begun()).toBe(2);
    letGo();
    await until(() => begun() === 3);
    letGo();
    await running.stop();
    clock.advance(3_600_000);
    await clock.sleep(10);
    expect([begun(), atOnce()]).toEqual([3, 1]);
  });

  it('keeps no service from starting, and goes on after a fault, which is told and counted', async () => {
    const { clock, metrics, said, begin } = setUp();
    let turns = 0;
    const work = async (): Promise<void> => {
      turns += 1;
      if (turns === 1) throw new Error('Not now.');
      if (turns === 2) throw new Unavailable('Away.');
      if (turns === 3) throw new Refused('SERVICE_UNAVAILABLE', 'GetThings is served by nobody now.');
    };
    const running = begin(every('1h', 'trying', work, { first: 'awaited', afterFault: '1s' }));
    await running.start();
    expect(turns).toBe(1);
    for (const wanted of [2, 3, 4]) {
      clock.advance(1000);
      await until(() => turns === wanted);
    }
    expect(said).toEqual([
      ['error', 'Job failed', { job: 'trying', reason: 'Error: Not now.' }],
      ['warn', 'Job failed', { job: 'trying', reason: 'Unavailable: Away.' }],
      ['warn', 'Job failed', { job: 'trying', reason: 'Refused: GetThings is served by nobody now.' }],
    ]);
    const { values } = (await metrics.getMetricsAsJSON())[0] ?? {};
    expect(values).toEqual([{ labels: { service: 'tests', job: 'trying' }, value: 3 }]);
    clock.advance(1000);
    await clock.sleep(10);
    expect(turns).toBe(4);
    await running.stop();
  });

  it('may begin later', async () => {
    const { clock, begin } = setUp();
    const { begun, letGo, work } = countedWork();
    const running = begin(every('1d', 'waiting', work, { first: '1h' }));
    await running.start();
    expect(begun()).toBe(0);
    clock.advance(3_600_000);
    await until(() => begun() === 1);
    letGo();
    await running.stop();
  });

  it('is done now when it is woken, and once more when that is while it is done', async () => {
    const { begin } = setUp();
    const { begun, atOnce, letGo, work } = countedWork();
    const job = every('1h', 'woken', work);
    job.wake();
    const running = begin(job);
    await running.start();
    job.wake();
    job.wake();
    letGo();
    await until(() => begun() === 2);
    letGo();
    await running.stop();
    job.wake();
    expect([begun(), atOnce()]).toEqual([2, 1]);
  });

  it('that takes long ends with the service, and is no fault', async () => {
    const { said, begin } = setUp();
    const work = (signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Ended.'))));
    const running = begin(every('1s', 'enduring', work, { first: 'awaited' }));
    const starting = running.start();
    await running.stop();
    await starting;
    expect(said).toEqual([]);
  });

  it('of replicas is done by one at a time, if it is so wanted, and the next one has its turn after that', async () => {
    const replicas = [setUp(), setUp()];
    const { begun, atOnce, letGo, work } = countedWork();
    const running = replicas.map(({ begin }) => begin(every('1h', 'alone', work, { alone: true })));
    await Promise.all(running.map((one) => one.start()));
    await until(() => begun() === 1);
    for (let waited = 0; waited < 3; waited += 1) replicas.forEach(({ clock }) => clock.advance(60_000));
    expect(begun()).toBe(1);
    letGo();
    while (begun() < 2) {
      // Again and again: the wait for the next turn may begin after a step of the clock.
      replicas.forEach(({ clock }) => clock.advance(60_000));
      await replicas[0]?.clock.sleep(10);
    }
    letGo();
    await Promise.all(running.map((one) => one.stop()));
    expect(atOnce()).toBe(1);
  });
});
