import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  allReadable,
  assertSameCluster,
  erased,
  keepKnownValue,
  OtherCluster,
  rebuildViews,
  type JournalEntry,
} from '@messaging-gateway/event-sourcing';
import {
  counter,
  metadata,
  openReplica,
  quietPool,
  totalsView,
  triedJournal,
  viewTables,
  type Replica,
  type TriedJournal,
} from '@messaging-gateway/event-sourcing/testing';
import { startPostgres } from '@messaging-gateway/postgres';
import type { PostgresServer } from '@messaging-gateway/postgres';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { backupDatabase, restoreDatabase, verifyBackup } from './index.ts';

let folder: string;
let journal: TriedJournal;
let other: PostgresServer;
let writer: Replica;
const ada = { organizationId: 'o1', subject: 'user:ada' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'messaging-gateway-backup-'));
  journal = await triedJournal(`${viewTables}
    CREATE TYPE tried.colour AS ENUM ('red', 'it''s green');
    CREATE TABLE tried.things (
      id serial PRIMARY KEY, colour tried.colour NOT NULL DEFAULT 'red', doc jsonb, bytes bytea, text text COLLATE "C" UNIQUE,
      twice int GENERATED ALWAYS AS (length(text) * 2) STORED, total_id text REFERENCES tried.totals (id));
    CREATE TABLE tried.of_this_moment AS SELECT 1 AS row;
    COMMENT ON TABLE tried.of_this_moment IS 'rows are not backed up';
    CREATE VIEW tried.red_things AS SELECT * FROM tried.things WHERE colour = 'red';
    INSERT INTO tried.things (colour, doc, bytes, text) VALUES ('it''s green', '{"a": "\\\\n\\t"}', '\\xdeadbeef', E'tab\\t line\\n \\\\ end'), ('red', NULL, NULL, NULL);`);
  other = await startPostgres({ directory: join(folder, 'other'), password: 'test', settings: { fsync: 'off' } });
  writer = journal.replica({ inlineViews: [totalsView] });
});
afterAll(async () => {
  await writer.close();
  await journal.end();
  await other.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = (): string => join(folder, 'backup');
const rows = async (pool: Pool, text: string): Promise<unknown[]> => (await pool.query(text)).rows;

/** Waits for what is there: transactions of other tests hold readers of the server back. */
async function readAll({ pool, reader }: Replica): Promise<JournalEntry[]> {
  const [there] = (await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM tried.events')).rows;
  const all: JournalEntry[] = [];
  while (all.length < (there?.count ?? 0)) {
    const some = allReadable(await reader.after(all.at(-1)?.place, 100));
    all.push(...some);
    if (some.length === 0) await sleep(10);
  }
  return all;
}

describe('a backup', () => {
  it('goes on in another cluster where it stood, and forgets who was erased since', async () => {
    const load = { stopped: false };
    const writing = Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        while (!load.stopped)
          await writer.store.handle(counter, `s${number}`, { type: 'CountTwice', by: 1 }, { metadata });
      }),
    );
    await writer.store.handle(counter, 'ada', { type: 'Count', by: 1, name: 'Ada' }, { metadata: ada });
    await sleep(200);
    await backupDatabase(journal.url, ['tried'], file());
    await writer.store.erase('user:ada');
    load.stopped = true;
    await writing;
    const before = (await readAll(writer)).filter((entry) => entry.stream !== 'counter-ada');

    const summary = await restoreDatabase(file(), other.url, ['user:ada', 'user:nobody']);
    expect(summary).toMatchObject({ schemas: ['tried'], erasedAgain: ['tried'] });
    const pool = quietPool(other.url);
    await assertSameCluster(pool, ['tried']);
    const replica = openReplica(pool, { inlineViews: [totalsView] });
    const restored = await readAll(replica);
    const others = restored.filter((entry) => entry.stream !== 'counter-ada');
    expect(others.length).toBeGreaterThan(10);
    expect(others).toEqual(before.slice(0, others.length));
    expect(restored.find((entry) => entry.stream === 'counter-ada')?.data).toEqual({ by: 1, name: erased });

    const last = restored.at(-1);
    const [s0] = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        replica.store.handle(counter, `s${number}`, { type: 'Count', by: 1 }, { metadata }),
      ),
    );
    expect(s0?.version).toBe(restored.filter((entry) => entry.stream === 'counter-s0').length + 1);
    const more = await replica.reader.after(last?.place, 100);
    expect(more).toHaveLength(10);
    expect(more.every((entry) => entry.place.generation === 3)).toBe(true);
    expect((await replica.store.load(counter, 'ada')).state.names).toEqual([erased]);

    expect(await rows(pool, 'SELECT * FROM tried.things ORDER BY id')).toEqual(
      await rows(journal.pool, 'SELECT * FROM tried.things ORDER BY id'),
    );
    expect(await rows(pool, "INSERT INTO tried.things (text) VALUES ('next') RETURNING id, twice")).toEqual([
      { id: 3, twice: 8 },
    ]);
    expect(await rows(pool, 'SELECT count(*)::int AS count FROM tried.red_things')).toEqual([{ count: 2 }]);
    const momentary = `SELECT obj_description('tried.of_this_moment'::regclass), (SELECT count(*)::int FROM tried.of_this_moment)`;
    expect(await rows(pool, momentary)).toEqual([{ obj_description: 'rows are not backed up', count: 0 }]);
    const objects = `SELECT c.relname, c.relkind, pg_get_indexdef(c.oid) AS index FROM pg_class c WHERE relnamespace = 'tried'::regnamespace ORDER BY 1`;
    expect(await rows(pool, objects)).toEqual(await rows(journal.pool, objects));
    await pool.query('DROP TABLE tried.things CASCADE');
    await rebuildViews({
      pool,
      schema: 'tried',
      streams: [counter],
      encryption: encryptionKeys('k'.repeat(32)),
      clock: systemClock,
      inlineViews: [totalsView],
    });
    await replica.close();
  });

  it('of a version that had another schema is restored with it', async () => {
    await journal.pool
      .query(`CREATE SCHEMA bus; CREATE TABLE bus.commands (position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
      INSERT INTO bus.commands (name) VALUES ('one')`);
    await backupDatabase(journal.url, ['tried', 'bus'], join(folder, 'older'));
    const server = quietPool(other.url);
    await server.query('CREATE DATABASE restored');
    await server.end();
    const restored = new URL(other.url);
    restored.pathname = '/restored';
    expect(await restoreDatabase(join(folder, 'older'), restored.href)).toMatchObject({ schemas: ['tried', 'bus'] });
    const pool = quietPool(restored.href);
    await assertSameCluster(pool, ['tried']);
    expect(await rows(pool, 'SELECT name FROM bus.commands')).toEqual([{ name: 'one' }]);
    await pool.end();
  });

  it('is of use with its key only, also when it is of a version that kept no value under it', async () => {
    const [right, wrong] = [encryptionKeys('k'.repeat(32)), encryptionKeys('w'.repeat(32))];
    for (const known of [false, true]) {
      if (known) {
        await keepKnownValue(journal.pool, 'tried', right);
        await backupDatabase(journal.url, ['tried'], join(folder, 'sealed'));
      }
      const sealed = known ? join(folder, 'sealed') : file();
      await verifyBackup(sealed, right);
      await expect(verifyBackup(sealed, wrong)).rejects.toThrow('another ENCRYPTION_KEY');
      await expect(verifyBackup(sealed, undefined)).rejects.toThrow('are sealed with the ENCRYPTION_KEY');
    }
    await expect(verifyBackup(join(folder, 'none'), right)).rejects.toThrow(/^There is no file .*none\.$/);
  });

  it('is refused when it is damaged or cut off, and never overwrites', async () => {
    const whole = await readFile(file());
    const damaged = Buffer.from(whole);
    damaged.writeUInt8((damaged[2000] ?? 0) ^ 1, 2000);
    await writeFile(join(folder, 'damaged'), damaged);
    await writeFile(join(folder, 'cut'), whole.subarray(0, whole.length - 3000));
    await expect(restoreDatabase(join(folder, 'damaged'), other.url)).rejects.toThrow(/damaged/);
    await expect(restoreDatabase(join(folder, 'cut'), other.url)).rejects.toThrow(/damaged|not a complete/);
    await expect(restoreDatabase(file(), other.url)).rejects.toThrow('The database already holds tried');
  });

  it('that was copied by other means is not run', async () => {
    await journal.pool.query("UPDATE tried.journal SET system_identifier = '1'");
    await expect(assertSameCluster(journal.pool, ['tried'])).rejects.toBeInstanceOf(OtherCluster);
    await expect(assertSameCluster(journal.pool, ['tried'])).rejects.toThrow(/npm run restore/);
  });
});
