import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, severable, type Severable } from '@messaging-gateway/testing';
import { counter } from './testing/counter.ts';
import { metadata, openReplica, quietPool, triedJournal } from './testing/tried-journal.ts';
import type { Replica, TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
let way: Severable;
/** Reaches the server over the way that is cut. */
let cutOff: Replica;
let rival: Replica;
beforeAll(async () => {
  journal = await triedJournal();
});
afterAll(() => journal.end());
beforeEach(async () => {
  way = await severable(Number(new URL(journal.url).port));
  const url = new URL(journal.url);
  url.hostname = '127.0.0.1';
  url.port = String(way.port);
  cutOff = openReplica(quietPool(url.href));
  rival = journal.replica();
});
afterEach(async () => {
  await Promise.all([cutOff.close(), rival.close()]);
  await way.close();
});

const count = (replica: Replica, stream: string) =>
  replica.store.handle(counter, stream, { type: 'Count', by: 1 }, { metadata });
const stored = async (stream: string): Promise<number> => {
  const { rows } = await journal.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM tried.events WHERE stream = $1',
    [`counter-${stream}`],
  );
  return rows[0]?.count ?? 0;
};
/** Whether a statement of the journal waits for a lock in the server. */
const waits = async (): Promise<true | undefined> => {
  const { rows } = await journal.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%tried.events%'`,
  );
  return rows.length > 0 ? true : undefined;
};

/** Appends over the way, which is cut when the server has the statement: it is committed, and its answer gets lost. */
async function appendUnheard(stream: string): Promise<{ readonly handled: ReturnType<typeof count> }> {
  const holding = await journal.pool.connect();
  await holding.query('BEGIN; LOCK TABLE tried.events IN SHARE MODE');
  const handled = count(cutOff, stream);
  await eventually(waits);
  way.cut();
  await holding.query('COMMIT');
  holding.release();
  await eventually(async () => ((await stored(stream)) === 1 ? true : undefined));
  return { handled };
}

describe('an append that was committed and whose answer was lost', () => {
  it('is told as appended once there is a connection again, and stands once', async () => {
    const { handled } = await appendUnheard('alone');
    way.heal();
    expect(await handled).toMatchObject({ outcome: 'appended', version: 1, state: { total: 1 } });
    expect(await count(cutOff, 'alone')).toMatchObject({ version: 2, state: { total: 2 } });
    expect(await stored('alone')).toBe(2);
  });

  it('is told as appended also when a rival has appended since', async () => {
    const { handled } = await appendUnheard('rival');
    expect(await count(rival, 'rival')).toMatchObject({ outcome: 'appended', version: 2 });
    way.heal();
    expect(await handled).toMatchObject({ outcome: 'appended', version: 1 });
    expect(await count(cutOff, 'rival')).toMatchObject({ version: 3, state: { total: 3 } });
    expect(await stored('rival')).toBe(3);
  });
});

it('an append that never reached the server is made after one of a rival', async () => {
  await count(cutOff, 'late');
  way.cut();
  const handled = count(cutOff, 'late');
  expect(await count(rival, 'late')).toMatchObject({ version: 2 });
  way.heal();
  expect(await handled).toMatchObject({ outcome: 'appended', version: 3, state: { total: 3 } });
  expect(await stored('late')).toBe(3);
});
