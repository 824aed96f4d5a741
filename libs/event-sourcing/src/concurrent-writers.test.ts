import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase } from '@messaging-gateway/testing';
import * as fc from 'fast-check';
import { counter } from './testing/counter.ts';
import type { JournalEntry, JournalPlace, ReadEntry } from './journal-entry.ts';
import { metadata, quietPool, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';
import { allReadable } from './unreadable.ts';

const streams = ['a', 'b', 'c', 'd', 'e'];
let journal: TriedJournal;

beforeAll(async () => {
  journal = await triedJournal('CREATE TABLE tried.consumed (id text PRIMARY KEY);');
});
afterAll(() => journal.end());

const command = fc.oneof(
  fc.record({ type: fc.constant('Count' as const), by: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ type: fc.constant('CountTwice' as const), by: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ type: fc.constant('Count' as const), by: fc.constant(1), name: fc.string({ unit: 'binary' }) }),
);
const work = fc.array(
  fc.record({ stream: fc.constantFrom(...streams), replica: fc.nat(3), command, once: fc.option(fc.nat(40)) }),
  { minLength: 100, maxLength: 300 },
);

/**
 * Reads on in portions while others write, until so many have come, and then nothing for a while. Transactions of other
 * tests hold readers of the server back.
 *
 * @param written how many there are, once the writers have ended
 */
async function follow(
  reader: Replica['reader'],
  from: JournalPlace | undefined,
  portion: number,
  written: () => number | undefined,
): Promise<JournalEntry[]> {
  const read: JournalEntry[] = [];
  let place = from;
  for (let quiet = 0; quiet < 30;) {
    const entries = allReadable(await reader.after(place, portion));
    read.push(...entries);
    place = entries.at(-1)?.place ?? place;
    const isWhole = read.length >= (written() ?? Infinity);
    quiet = isWhole && entries.length === 0 ? quiet + 1 : 0;
    if (entries.length === 0) await sleep(written() === undefined ? 1 : 10);
  }
  return read;
}

/** A consumer whose transactions write a dedupe row first and stay open for a moment. */
async function consume(pool: TriedJournal['pool'], name: string, ended: () => boolean): Promise<void> {
  for (let count = 0; !ended(); count += 1) {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO tried.consumed VALUES ($1)', [`${name} ${count}`]);
    await sleep(Math.random() * 5);
    await client.query('COMMIT');
    client.release();
  }
}

/** A writer whose appends stay open for a moment, each begun with nothing written before it. */
async function linger(pool: TriedJournal['pool'], prefix: string, ended: () => boolean): Promise<number> {
  let count = 0;
  for (; !ended(); count += 1) {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO tried.events (stream, version, type, schema_version, append_id, data, metadata, at)
       VALUES ($1, 1, 'Counted', 1, 1, '{"by": 1}', $2, now())`,
      [`counter-${prefix} lingering ${count}`, metadata],
    );
    await sleep(Math.random() * 40);
    await client.query('COMMIT');
    client.release();
  }
  return count;
}

/** A transaction of somebody else, in another database of the server, that has written and stays open. */
async function stranger(): Promise<{ end(): Promise<void> }> {
  const database = await testDatabase();
  const pool = quietPool(database.url);
  const client = await pool.connect();
  await client.query('CREATE TABLE things (id int); BEGIN; INSERT INTO things VALUES (1)');
  return {
    end: async () => {
      await client.query('COMMIT');
      client.release();
      await pool.end();
      await database.drop();
    },
  };
}

const eventsOf = (handled: readonly { readonly events: readonly unknown[] }[]): number =>
  handled.flatMap((one) => one.events).length;

const versionsOf = (entries: readonly JournalEntry[], stream: string): number[] =>
  entries.filter((entry) => entry.stream === stream).map((entry) => entry.version);

describe('a journal under many writers', () => {
  it('skips, repeats and reorders nothing in a stream', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(work, fc.integer({ min: 1, max: 50 }), async (items, portion) => {
        round += 1;
        const prefix = `r${round}`;
        const replicas = [0, 1, 2, 3].map(() => journal.replica());
        const [first] = replicas as [Replica];
        const from = await first.reader.end();
        let written: number | undefined;
        const reading = replicas.slice(0, 2).map((replica) => follow(replica.reader, from, portion, () => written));
        const consuming = ['x', 'y'].map((name) =>
          consume(journal.pool, `${prefix} ${name}`, () => written !== undefined),
        );
        const done = Promise.all(
          items.map(async (item, index) => {
            await sleep(index / 8);
            const { store } = replicas[item.replica] as Replica;
            const once = item.once === null ? {} : { once: `${prefix} ${item.once}` };
            return store.handle(counter, `${prefix}${item.stream}`, item.command, { metadata, ...once });
          }),
        );
        written = await done.then(eventsOf, () => 0);
        await Promise.all(consuming);
        const reads = await Promise.all(reading);
        const states = await Promise.all(streams.map((stream) => first.store.load(counter, `${prefix}${stream}`)));
        await Promise.all(replicas.map((replica) => replica.close()));
        const handled = await done;
        const keys = items.flatMap((item) => item.once ?? []);
        const once = handled.filter((one, index) => items[index]?.once !== null && one.outcome === 'appended');
        expect(once).toHaveLength(new Set(keys).size);
        for (const read of reads) {
          expect(read).toHaveLength(eventsOf(handled));
          for (const stream of streams) {
            const versions = versionsOf(read, `counter-${prefix}${stream}`);
            expect(versions).toEqual(versions.map((_, index) => index + 1));
          }
        }
        streams.forEach((stream, at) => {
          const counted = items.reduce(
            (sum, item, index) =>
              sum + (item.stream === stream && handled[index]?.outcome === 'appended' ? totalOf(item.command) : 0),
            0,
          );
          expect(states[at]?.state.total).toBe(counted);
        });
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('skips nothing either while a stranger keeps a transaction open', async () => {
    const other = await stranger();
    const replicas = [0, 1, 2].map(() => journal.replica());
    const [first, ...others] = replicas as [Replica, ...Replica[]];
    const from = await first.reader.end();
    let written: number | undefined;
    let ended = false;
    const reading = [17, 50].map((portion) => follow(first.reader, from, portion, () => written));
    const lingering = ['x', 'y', 'z'].map((name) => linger(journal.pool, `strange ${name}`, () => ended));
    const handled = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        await sleep(index * 3);
        const { store } = others[index % 2] as Replica;
        return store.handle(counter, `strange ${index % 40}`, { type: 'CountTwice', by: 1 }, { metadata });
      }),
    );
    ended = true;
    const lingered = (await Promise.all(lingering)).reduce((sum, count) => sum + count, 0);
    written = eventsOf(handled) + lingered;
    for (const read of await Promise.all(reading)) {
      expect(read).toHaveLength(written);
      for (let stream = 0; stream < 40; stream += 1) {
        expect(versionsOf(read, `counter-strange ${stream}`)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
      }
    }
    await Promise.all(replicas.map((replica) => replica.close()));
    await other.end();
  });

  it('stops short of an append that is still open and goes on after it', async () => {
    const replica = journal.replica();
    const client = await journal.pool.connect();
    const from = await replica.reader.end();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO tried.events (stream, version, type, schema_version, append_id, data, metadata, at)
       VALUES ('counter-open', 1, 'Counted', 1, 1, '{"by": 1}', $1, now())`,
      [metadata],
    );
    await replica.store.handle(counter, 'held', { type: 'Count', by: 1 }, { metadata });
    // Longer than a stranger's transaction would hold it back.
    for (let looks = 0; looks < 15; looks += 1) {
      expect(await replica.reader.after(from, 10)).toEqual([]);
      await sleep(20);
    }
    const read = new Promise<readonly ReadEntry[]>((resolve) => {
      const stop = replica.reader.onNews(() => {
        void replica.reader.after(from, 10).then((entries) => {
          if (entries.length < 2) return;
          stop();
          resolve(entries);
        });
      });
    });
    await client.query('COMMIT');
    client.release();
    expect((await read).map(({ stream }) => stream)).toEqual(['counter-open', 'counter-held']);
    await replica.close();
  });
});

const totalOf = (command: { type: string; by: number }): number =>
  command.type === 'CountTwice' ? 2 * command.by : command.by;
