import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isUnavailable } from '@messaging-gateway/runtime';
import { postgresPair, type PostgresPair } from '@messaging-gateway/testing';
import { counter, type CounterCommand } from './testing/counter.ts';
import { journalLine, journalMigration } from './index.ts';
import type { JournalEntry, JournalPlace, NewLine } from './index.ts';
import { metadata, openReplica, quietPool } from './testing/tried-journal.ts';
import type { Replica } from './testing/tried-journal.ts';
import { allReadable } from './unreadable.ts';

let pair: PostgresPair;
let replicas: Replica[];
let lines: NewLine[];

beforeEach(async () => {
  pair = await postgresPair();
  const pool = quietPool(pair.url);
  await pool.query(journalMigration('tried'));
  await pool.end();
  lines = [];
  replicas = [0, 1].map(() => {
    const replica = openReplica(quietPool(pair.url));
    journalLine(replica.pool, 'tried').onChange((line) => lines.push(line));
    return replica;
  });
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  await pair.drop();
});

/** Tries again while the database is away. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await sleep(50);
    }
  }
}

const handle = (replica: Replica, stream: string, command: CounterCommand) =>
  patiently(() => replica.store.handle(counter, stream, command, { metadata }));
const count = (replica: Replica, stream: string, by: number) => handle(replica, stream, { type: 'Count', by });

/** All that can be read behind a place, once it is so many. */
async function read({ reader }: Replica, after: JournalPlace | undefined, many: number): Promise<JournalEntry[]> {
  for (;;) {
    const entries = await patiently(() => reader.after(after, 500));
    if (entries.length >= many) return allReadable(entries);
    await sleep(10);
  }
}

const versions = (entries: readonly JournalEntry[], stream: string): number[] =>
  entries.filter((entry) => entry.stream === `counter-${stream}`).map(({ version }) => version);

describe('a standby that lacks the last transactions', () => {
  it('neither forks streams nor swallows entries when it is promoted under living processes', async () => {
    const [one, other] = replicas as [Replica, Replica];
    await count(one, 'x', 1);
    await count(other, 'x', 1);
    await count(one, 'kept', 7);
    await pair.cutOff();
    // What the standby never gets: answered to clients, read by consumers, and known in memory.
    for (let n = 0; n < 10; n += 1) await count(one, 'x', 10);
    await count(other, 'lost', 3);
    await handle(one, 'named', { type: 'Count', by: 1, name: 'Ada' });
    const told = await read(other, undefined, 15);
    const place = told.at(-1)?.place;
    await pair.failOver();

    const [fresh, named, x] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, (_, n) => count(other, `fresh-${n}`, 5))),
      handle(one, 'named', { type: 'Count', by: 1, name: 'Ada' }),
      count(other, 'x', 5),
    ]);
    expect(fresh.every(({ version }) => version === 1)).toBe(true);
    expect([named.version, named.state.names]).toEqual([1, ['Ada']]);
    expect(x.version).toBe(3);
    // It knows the stream up to its twelfth version.
    expect(await count(one, 'x', 100)).toMatchObject({ version: 4, state: { total: 107 } });
    expect(await handle(one, 'lost', { type: 'Mark', mark: 'm' })).toMatchObject({ version: 1, state: { total: 0 } });

    // Whoever went on behind what it had read misses nothing that is new.
    const all = await read(one, undefined, 12);
    expect(await read(other, place, 9)).toEqual(all.slice(3));
    expect(versions(all, 'x')).toEqual([1, 2, 3, 4]);
    expect(all.slice(0, 3).every((entry) => entry.place.generation === 2)).toBe(true);
    expect(all.slice(3).every((entry) => entry.place.generation === 3)).toBe(true);
    const again = told.find((entry) => entry.stream === 'counter-x' && entry.version === 3);
    expect(again?.at).not.toEqual(all.find((entry) => entry.stream === 'counter-x' && entry.version === 3)?.at);
    // Names are sealed with keys that are there.
    const third = openReplica(quietPool(pair.url));
    replicas.push(third);
    expect((await third.store.load(counter, 'named')).state.names).toEqual(['Ada']);
    // One process has adopted the journal, the other one has taken note.
    expect(lines.map(({ generation }) => generation)).toEqual([3, 3]);
    expect(lines.filter(({ adopted }) => adopted)).toMatchObject([{ timeline: 2, lastCommit: expect.any(Date) }]);
  });

  it('does no harm when it lacks nothing', async () => {
    const [one, other] = replicas as [Replica, Replica];
    let answered = 0;
    const writing = Promise.all(
      replicas.map(async (replica, number) => {
        for (let n = 0; n < 60; n += 1) {
          await count(replica, `s${number}`, 1);
          await count(replica, 'both', 1);
          answered += 2;
        }
      }),
    );
    while (answered < 80) await sleep(5);
    await pair.switchOver();
    await writing;
    const all = await read(one, undefined, 240);
    expect(all).toHaveLength(240);
    expect(versions(all, 'both')).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
    expect((await patiently(() => other.store.load(counter, 'both'))).state.total).toBe(120);
    expect(lines.filter(({ adopted }) => adopted)).toHaveLength(1);
  });
});
