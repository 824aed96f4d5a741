import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Unavailable } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import { counter } from './testing/counter.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
beforeAll(async () => {
  journal = await triedJournal();
});
afterAll(() => journal.end());

const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5`;

describe('a store whose connections are ended', () => {
  it('applies each command once and tells the truth about it', async () => {
    const replicas = [journal.replica(), journal.replica()];
    const ending = { done: false };
    let handled = 0;
    const killing = (async () => {
      while (!ending.done) {
        // However slow this machine connects, some commands get through in between.
        for (const before = handled; handled < before + 5 && !ending.done;) await sleep(Math.random() * 25);
        await journal.pool.query(endOthers).catch(() => undefined);
      }
    })();
    const results = await Promise.all(
      Array.from({ length: 600 }, async (_, index) => {
        await sleep(index * 2);
        const store = replicas[index % 2]?.store;
        const stream = `s${index % 40}`;
        try {
          await store?.handle(counter, stream, { type: 'Mark', mark: String(index) }, { metadata });
          handled += 1;
          return { index, stream, done: true };
        } catch (error) {
          return { index, stream, done: false, error };
        }
      }),
    );
    ending.done = true;
    await killing;
    await Promise.all(replicas.map((replica) => replica.close()));
    for (const { error } of results) expect(error ?? new Unavailable('')).toBeInstanceOf(Unavailable);
    const reader = journal.replica();
    for (let number = 0; number < 40; number += 1) {
      const { state } = await reader.store.load(counter, `s${number}`);
      const acknowledged = results
        .filter((one) => one.stream === `s${number}` && one.done)
        .map((one) => String(one.index));
      expect(state.marks.toSorted()).toEqual(acknowledged.toSorted());
    }
    expect(results.filter((one) => one.done).length).toBeGreaterThan(100);
    await reader.close();
  });

  it('says at once that the database cannot be reached', async () => {
    const nowhere = new Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/nowhere' });
    const unreachable = journal.replica({ pool: nowhere });
    const handled = unreachable.store.handle(counter, 'a', { type: 'Count', by: 1 }, { metadata });
    await expect(handled).rejects.toBeInstanceOf(Unavailable);
    await unreachable.close();
    await nowhere.end();
  });
});
