import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encryptionKeys } from '@messaging-gateway/runtime';
import { counter } from './testing/counter.ts';
import type { Counter, CounterCommand, CounterEvent } from './testing/counter.ts';
import { assertRightKey, erased, keepKnownValue, resealSubjectKeys } from './index.ts';
import type { StreamType } from './index.ts';
import { metadata, triedJournal } from './testing/tried-journal.ts';
import type { TriedJournal } from './testing/tried-journal.ts';

let journal: TriedJournal;
beforeAll(async () => {
  journal = await triedJournal();
});
afterAll(() => journal.end());

/** The counter as it might be two versions later: `by` became `amount`, and then a text. */
const later = {
  name: 'counter',
  decider: {
    initial: [],
    decide: () => [],
    evolve: (state: readonly unknown[], event: { data: object }) => [...state, event.data],
  },
  events: {
    Counted: {
      version: 3,
      personal: ['name'],
      upcasters: {
        1: ({ by, ...rest }: Record<string, unknown>) => ({ ...rest, amount: by }),
        2: ({ amount, ...rest }: Record<string, unknown>) => ({ ...rest, amount: String(amount) }),
      },
    },
    Marked: { version: 1 },
  },
} as const;

describe('a frozen journal', () => {
  it('is read in the shapes of today', async () => {
    const frozen: object[] = JSON.parse(
      await readFile(new URL('frozen-journal.fixture.json', import.meta.url), 'utf8'),
    ) as object[];
    await journal.pool.query(
      `INSERT INTO tried.events (stream, version, type, schema_version, append_id, data, metadata, at)
       SELECT stream, version, type, schema_version, append_id, data, metadata, at
         FROM jsonb_populate_recordset(NULL::tried.events, $1::jsonb) ORDER BY version`,
      [JSON.stringify(frozen)],
    );
    await journal.pool.query('INSERT INTO tried.subject_keys (subject, sealed) VALUES ($1, $2)', [
      'user:frozen',
      Buffer.from(frozenKey, 'base64'),
    ]);
    const replica = journal.replica({ streams: [later] });
    expect((await replica.store.read(later, 'frozen')).map((entry) => entry.data)).toEqual([
      { amount: '1' },
      { amount: '2', name: 'Ada' },
      { amount: '3', name: erased },
      { amount: '4' },
    ]);
    expect(await replica.store.load(later, 'frozen')).toMatchObject({
      version: 4,
      state: [{ amount: '1' }, {}, {}, { amount: '4' }],
    });
    await replica.close();
  });
});

/** Made with the key of the tests, as a database of the first release would hold it. */
const frozenKey = 'AQLsgZIqTXd/rldbvhXQ5D0nqaI5uI4m9Wwe74gsJz2SU57KZCuN2WQch9c8RoDL85a4znHz9sOVNPXNy7kAWw0=';

describe('snapshots', () => {
  const long: StreamType<Counter, CounterCommand, CounterEvent> = { ...counter, snapshotEvery: 10 };
  const stored = async (stream: string): Promise<{ version: number; state: object }[]> =>
    (
      await journal.pool.query<{ version: number; state: object }>(
        'SELECT version, state FROM tried.snapshots WHERE stream = $1',
        [stream],
      )
    ).rows;

  it('stand in for the events before them, encrypted', async () => {
    const writer = journal.replica({ streams: [long] });
    for (let count = 0; count < 25; count += 1) {
      await writer.store.handle(long, 'long', { type: 'Count', by: 1, name: `person number ${count}` }, { metadata });
    }
    await writer.close();
    const [snapshot] = await stored('counter-long');
    expect(snapshot?.version).toBe(20);
    expect(JSON.stringify(snapshot)).not.toContain('person number');
    await journal.pool.query(
      "UPDATE tried.events SET data = '{\"by\": 1000}' WHERE stream = 'counter-long' AND version <= 20",
    );
    const reader = journal.replica({ streams: [long] });
    expect((await reader.store.load(long, 'long')).state.total).toBe(25);
    const changed = journal.replica({ streams: [long] });
    expect((await changed.store.load({ ...long, snapshotVersion: 2 }, 'long')).state.total).toBe(20_005);
    await reader.close();
    await changed.close();
  });

  it('of two versions side by side are not written in turns; the older one has its own when it is left alone', async () => {
    const kept = async (): Promise<number[]> => {
      const text = 'SELECT snapshot_version, version FROM tried.snapshots WHERE stream = $1';
      const { rows } = await journal.pool.query<{ snapshot_version: number; version: number }>(text, ['counter-sides']);
      return rows.flatMap((row) => [row.snapshot_version, row.version]);
    };
    const writers = [1, 2].map((snapshotVersion) => {
      const type = { ...long, snapshotVersion };
      return { type, ...journal.replica({ streams: [type] }) };
    });
    const count = async (writer: number, times: number): Promise<void> => {
      const { store, type } = writers[writer] as (typeof writers)[number];
      for (let n = 0; n < times; n += 1) await store.handle(type, 'sides', { type: 'Count', by: 1 }, { metadata });
    };
    /** Snapshots are written beside the answer. */
    const comes = async (...expected: number[]): Promise<void> => {
      while ((await kept()).join(' ') !== expected.join(' ')) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await count(0, 12);
    await comes(1, 10);
    await count(1, 10);
    await comes(2, 20);
    await count(0, 17);
    expect(await kept()).toEqual([2, 20]);
    await count(0, 13);
    await comes(1, 50);
    await Promise.all(writers.map((writer) => writer.close()));
  });

  it('of a subject that was erased are gone, in every replica', async () => {
    const mine = { organizationId: 'o1', subject: 'user:snapshot' };
    const [writer, other] = [journal.replica({ streams: [long] }), journal.replica({ streams: [long] })];
    for (let count = 0; count < 12; count += 1) {
      await writer.store.handle(
        long,
        'mixed',
        { type: 'Count', by: 1, name: `n${count}` },
        { metadata: count === 3 ? mine : metadata },
      );
    }
    expect((await other.store.load(long, 'mixed')).state.names[3]).toBe('n3');
    await writer.store.erase('user:snapshot');
    expect(await stored('counter-mixed')).toEqual([]);
    const without = ['n0', 'n1', 'n2', erased, 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11'];
    expect((await writer.store.load(long, 'mixed')).state.names).toEqual(without);
    for (let tries = 0; tries < 2000; tries += 1) {
      if ((await other.store.load(long, 'mixed')).state.names[3] === erased) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await other.store.load(long, 'mixed')).state.names).toEqual(without);
    await writer.close();
    await other.close();
  });
});

describe('the encryption key', () => {
  const [old, fresh] = ['k'.repeat(32), 'n'.repeat(32)];
  const check = (...keys: [string, ...string[]]) =>
    keepKnownValue(journal.pool, 'tried', encryptionKeys(keys[0], keys.slice(1)));

  it('is not taken when it opens nothing of a journal that knows no value under it yet', async () => {
    const before = journal.replica();
    await before.store.handle(counter, 'rotated', { type: 'Count', by: 1, name: 'Ada' }, { metadata });
    await before.close();
    await expect(check(fresh)).rejects.toThrow(/another ENCRYPTION_KEY .*ENCRYPTION_KEY_PREVIOUS/);
    await check(fresh, old);
    await check(fresh);
    await expect(check(old)).rejects.toThrow('another ENCRYPTION_KEY');
    await journal.pool.query('UPDATE tried.journal SET known_value = NULL');
  });

  it('is the same for all processes that start at once', async () => {
    const kept = 'SELECT subject, sealed, erased_at FROM tried.subject_keys';
    await journal.pool.query(`CREATE TABLE tried.kept AS ${kept}; DELETE FROM tried.subject_keys`);
    const outcomes = await Promise.allSettled([old, fresh, old, fresh].map((key) => check(key)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    await journal.pool.query('UPDATE tried.journal SET known_value = NULL');
    await journal.pool.query(
      `INSERT INTO tried.subject_keys (subject, sealed, erased_at) SELECT subject, sealed, erased_at FROM tried.kept`,
    );
  });

  it('can be rotated while old data stays readable', async () => {
    await check(old);
    expect(await resealSubjectKeys(journal.pool, 'tried', encryptionKeys(fresh, [old]))).toBeGreaterThan(0);
    expect(await resealSubjectKeys(journal.pool, 'tried', encryptionKeys(fresh, [old]))).toBe(0);
    await assertRightKey(journal.pool, 'tried', encryptionKeys(fresh));
    const after = journal.replica({ encryption: encryptionKeys(fresh) });
    expect((await after.store.load(counter, 'rotated')).state.names).toEqual(['Ada']);
    await after.close();
  });
});
