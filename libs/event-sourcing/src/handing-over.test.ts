import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { counter, type CounterCommand } from './testing/counter.ts';
import { doorbell } from './doorbell.ts';
import type { EventMetadata, JournalEntry, JournalPlace } from './journal-entry.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';
import { allReadable } from './unreadable.ts';

const bell = doorbell();
let journal: TriedJournal;
let replica: Replica;
beforeAll(async () => {
  journal = await triedJournal('CREATE TABLE tried.consumed (id text PRIMARY KEY);');
  replica = journal.replica({ doorbell: bell });
});
afterAll(async () => {
  await replica.close();
  await journal.end();
});

let from: JournalPlace | undefined;
let handed: (readonly JournalEntry[])[] = [];
let news = 0;
beforeEach(async () => {
  from = await replica.reader.end();
  handed = [];
  news = 0;
});

/** Takes all that is appended meanwhile. */
async function listening(work: () => Promise<unknown>): Promise<void> {
  const stop = bell.listen(
    () => (news += 1),
    (entries) => handed.push(entries) > 0,
  );
  await work();
  await new Promise(setImmediate);
  stop();
}

const handle = (stream: string, command: CounterCommand, given: EventMetadata = metadata): Promise<unknown> =>
  replica.store.handle(counter, stream, command, { metadata: given });

/** All that is behind `from`, once no transaction of others holds it back. */
async function read(many: number): Promise<readonly JournalEntry[]> {
  for (;;) {
    const entries = allReadable(await replica.reader.after(from, 1000));
    if (entries.length >= many) return entries;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('an entry that a process appends', () => {
  it('is handed to its readers as the journal gives it back, in its order', async () => {
    const origin = { ip: '192.0.2.77', userAgent: 'a browser' };
    const audit = { id: '0198c0de-0000-7000-8000-000000000001', action: 'counter.count', subject: 'user:ada', origin };
    await listening(() =>
      Promise.all([
        ...['b', 'a', 'c'].map((stream) => handle(stream, { type: 'CountTwice', by: 1 })),
        handle('a', { type: 'Count', by: 2, name: 'Ada' }),
        handle('marked', { type: 'Count', by: 3 }, { ...metadata, profileId: 'p', audit }),
      ]),
    );
    const all = handed.flat();
    expect(all).toHaveLength(8);
    expect(all.toSorted((a, b) => Number(a.place.position - b.place.position))).toEqual(await read(8));
    for (const append of handed) {
      const positions = append.map(({ place }) => place.position);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
    }
    expect(news).toBe(0);
  });

  it('is not handed over where PostgreSQL keeps it in another form: it is to be read', async () => {
    await listening(() => handle('form', { type: 'Mark', mark: 'a\u0000b' }));
    expect(handed).toEqual([]);
    expect(news).toBe(1);
    expect((await read(1)).map(({ data }) => data)).toEqual([{ mark: 'a\ufffdb' }]);
  });

  it('is what went in alone: a command that met a rival is handed over when it was written', async () => {
    const rival = journal.replica();
    await handle('rivals', { type: 'Count', by: 1 });
    await rival.store.handle(counter, 'rivals', { type: 'Count', by: 1 }, { metadata });
    from = (await read(2)).at(-1)?.place;
    await listening(() => handle('rivals', { type: 'Count', by: 1 }));
    expect(handed.flat()).toEqual(await read(1));
    await rival.close();
  });
});

describe('entries that are counted', () => {
  it('are those that can be read, up to a place', async () => {
    await Promise.all(['x', 'y', 'z'].map((stream) => handle(stream, { type: 'Count', by: 1 })));
    const places = (await read(3)).map(({ place }) => place);
    const [first, second, third] = places as [JournalPlace, JournalPlace, JournalPlace];
    expect(await replica.reader.count(from, third)).toEqual({ count: 3, last: third });
    expect(await replica.reader.count(first, second)).toEqual({ count: 1, last: second });
    expect(await replica.reader.count(third, third)).toEqual({ count: 0, last: undefined });
  });

  it('end before an open transaction', async () => {
    const client = await journal.pool.connect();
    await client.query('BEGIN');
    await client.query("INSERT INTO tried.consumed VALUES ('held')");
    await listening(() => handle('open', { type: 'Count', by: 1 }));
    const place = handed[0]?.[0]?.place as JournalPlace;
    expect(await replica.reader.count(from, place)).toEqual({ count: 0, last: undefined });
    await client.query('COMMIT');
    client.release();
    await read(1);
    expect(await replica.reader.count(from, place)).toEqual({ count: 1, last: place });
  });
});
