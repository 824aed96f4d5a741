import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { counter } from './counter.fixture.ts';
import type { JournalEntry, JournalPlace, ReadEntry } from './journal-entry.ts';
import { metadata, triedJournal } from './tried-journal.fixture.ts';
import type { Replica, TriedJournal } from './tried-journal.fixture.ts';
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

  it('stops short of an open transaction and goes on after it', async () => {
    const replica = journal.replica();
    const client = await journal.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO tried.consumed VALUES ('held')");
    const from = await replica.reader.end();
    await replica.store.handle(counter, 'held', { type: 'Count', by: 1 }, { metadata });
    expect(await replica.reader.after(from, 10)).toEqual([]);
    const read = new Promise<readonly ReadEntry[]>((resolve) => {
      const stop = replica.reader.onNews(() => {
        void replica.reader.after(from, 10).then((entries) => {
          if (entries.length === 0) return;
          stop();
          resolve(entries);
        });
      });
    });
    await client.query('COMMIT');
    client.release();
    expect(await read).toHaveLength(1);
    await replica.close();
  });
});

const totalOf = (command: { type: string; by: number }): number =>
  command.type === 'CountTwice' ? 2 * command.by : command.by;
