import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import { counter } from './testing/counter.ts';
import { rebuildViews } from './index.ts';
import { logView, totalsView, viewTables } from './testing/totals-view.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
let replica: Replica;

beforeAll(async () => {
  journal = await triedJournal(viewTables);
  replica = journal.replica({ inlineViews: [totalsView, logView] });
});
afterAll(async () => {
  await replica.close();
  await journal.end();
});

const rebuild = (view?: string) =>
  rebuildViews({
    pool: journal.pool,
    schema: 'tried',
    streams: [counter],
    encryption: encryptionKeys('k'.repeat(32)),
    clock: systemClock,
    inlineViews: [totalsView, logView],
    ...(view !== undefined && { view }),
  });

const query = async (text: string): Promise<Record<string, unknown>[]> =>
  (await journal.pool.query<Record<string, unknown>>(text)).rows;
const totals = () => query('SELECT id, total FROM tried.totals ORDER BY id');
const totalsByJournal = () =>
  query("SELECT stream AS id, sum((data->>'by')::int)::int AS total FROM tried.events GROUP BY stream ORDER BY stream");
const journalEvents = () => query('SELECT stream, version FROM tried.events ORDER BY 1, 2');
const logged = () => query('SELECT stream, version FROM tried.log ORDER BY 1, 2');

/** Counts on 20 streams until it is told to stop. */
async function writeUntil(stopped: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      while (!stopped()) {
        await replica.store.handle(
          counter,
          `s${number}`,
          number % 2 === 0 ? { type: 'Count', by: 1 } : { type: 'CountTwice', by: 1 },
          { metadata },
        );
        await sleep(5);
      }
    }),
  );
}

describe('views', () => {
  it('are made anew while writers go on, and followed afterwards', async () => {
    let stopped = false;
    const writing = writeUntil(() => stopped);
    await sleep(300);
    await journal.pool.query(
      "UPDATE tried.totals SET total = 0 WHERE id LIKE '%1%'; DELETE FROM tried.totals WHERE id = 'counter-s2'",
    );
    await journal.pool.query('DELETE FROM tried.log WHERE version = 2');
    expect(await rebuild()).toEqual(['totals', 'log']);
    await sleep(300);
    stopped = true;
    await writing;
    expect(await totals()).toEqual(await totalsByJournal());
    expect(await logged()).toEqual(await journalEvents());
  });

  it('keep the names of their indexes, constraints and partitions', async () => {
    const names = () =>
      query(`SELECT relname, relkind FROM pg_class WHERE relnamespace = 'tried'::regnamespace
              AND (relname LIKE 'totals%' OR relname LIKE 'log%') ORDER BY relname`);
    const before = await names();
    expect(await rebuild('totals')).toEqual(['totals']);
    await rebuild('log');
    expect(await names()).toEqual(before);
    await expect(query('UPDATE tried.totals SET total = 1000')).rejects.toMatchObject({ code: '23514' });
  });

  it('stay as they are when a rebuild fails', async () => {
    const before = await totals();
    await journal.pool.query('CREATE VIEW tried.depends AS SELECT * FROM tried.totals');
    await expect(rebuild('totals')).rejects.toThrow(/other objects depend/);
    await journal.pool.query('DROP VIEW tried.depends');
    expect(await totals()).toEqual(before);
    await expect(rebuild('other')).rejects.toThrow('tried has no view "other" that can be rebuilt.');
  });
});
