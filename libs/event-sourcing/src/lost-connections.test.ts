import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Unavailable } from '@messaging-gateway/runtime';
import pg from 'pg';
import { counter } from './counter.fixture.ts';
import { metadata, triedJournal } from './tried-journal.fixture.ts';
import type { TriedJournal } from './tried-journal.fixture.ts';

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
    let ended = false;
    const ending = (async () => {
      while (!ended) {
        await sleep(Math.random() * 25);
        await journal.pool.query(endOthers).catch(() => undefined);
      }
    })();
    const results = await Promise.all(
      Array.from({ length: 600 }, async (_, index) => {
        await sleep(index * 2);
        const store = replicas[index % 2]?.store;
        const stream = `s${index % 40}`;
        return Promise.all([
          store?.handle(counter, stream, { type: 'Mark', mark: String(index) }, { metadata }).then(
            () => ({ index, stream, done: true }),
            (error: unknown) => ({ index, stream, done: false, error }),
          ),
        ]).then(([result]) => result as { index: number; stream: string; done: boolean; error?: unknown });
      }),
    );
    ended = true;
    await ending;
    await Promise.all(replicas.map((replica) => replica.close()));
    for (const { done, error } of results) if (!done) expect(error).toBeInstanceOf(Unavailable);
    const reader = journal.replica();
    for (let number = 0; number < 40; number += 1) {
      const { state } = await reader.store.load(counter, `s${number}`);
      const acknowledged = results.filter((one) => one.stream === `s${number}` && one.done).map((one) => String(one.index));
      expect(state.marks.toSorted()).toEqual(acknowledged.toSorted());
    }
    expect(results.filter((one) => one.done).length).toBeGreaterThan(100);
    await reader.close();
  });

  it('says at once that the database cannot be reached', async () => {
    const nowhere = new pg.Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/nowhere' });
    const unreachable = journal.replica({ pool: nowhere });
    const handled = unreachable.store.handle(counter, 'a', { type: 'Count', by: 1 }, { metadata });
    await expect(handled).rejects.toBeInstanceOf(Unavailable);
    await unreachable.close();
    await nowhere.end();
  });
});
