import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { openDatabase, type ServiceDatabase } from './database.ts';
import { addPartition, dropPartition, type PartitionRange, type PartitionTools } from './partitions.ts';

describe('partitions', () => {
  const table = { table: 'one', column: 'id', rest: 'one_rest', storage: 'fillfactor = 85' };
  const range = (from: number, isAhead = true): PartitionRange => ({
    name: `one_${from}`,
    from: String(from),
    to: String(from + 10),
    isAhead,
  });
  let database: TestDatabase;
  let opened: ServiceDatabase;
  let tools: PartitionTools;
  let other: Client;
  const said: string[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    const migrations = [
      {
        name: '0001',
        sql: `CREATE TABLE one (id int NOT NULL, word text NOT NULL DEFAULT '', PRIMARY KEY (id)) PARTITION BY RANGE (id);
              CREATE TABLE one_rest PARTITION OF one DEFAULT; CREATE INDEX one_word ON one (word)`,
      },
    ];
    opened = await openDatabase({ url: database.url, schema: 'a', migrations, log: silentLogger });
    const { sql, patiently } = opened;
    const log = { ...silentLogger, warn: (message: string) => void said.push(message) };
    tools = { sql, patiently, log, signal: new AbortController().signal };
    other = new Client(database.url);
    await other.connect();
    await other.query(`set search_path = a; set lock_timeout = '2s'`);
  });
  afterEach(async () => {
    await other.query('rollback');
    said.length = 0;
  });
  afterAll(async () => {
    await other.end();
    await opened.close();
    await database.drop();
  });
  const made = async (): Promise<unknown[]> =>
    (
      await other.query(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'one'::regclass ORDER BY 1`,
      )
    ).rows.map((row: { name: string }) => row.name);
  const constraints = async (): Promise<unknown[]> =>
    (await other.query(`SELECT conname FROM pg_constraint WHERE conrelid = 'one_rest'::regclass AND contype = 'c'`))
      .rows;

  it('are made, also by replicas at the same time, and take what belongs to them', async () => {
    expect(await Promise.all([1, 2, 3].map(() => addPartition(tools, table, range(100))))).toEqual([true, true, true]);
    await other.query('INSERT INTO one VALUES (105), (5)');
    expect((await other.query('SELECT id FROM one_100')).rows).toEqual([{ id: 105 }]);
    expect((await other.query('SELECT id FROM one_rest')).rows).toEqual([{ id: 5 }]);
  });

  it('beside much among the rest are made without reading it under a lock', async () => {
    await other.query(`INSERT INTO one SELECT n, repeat('x', 200) FROM generate_series(1000, 30000) n`);
    const statements: string[] = [];
    const patiently: PartitionTools['patiently'] = async (statement, signal) => {
      statements.push(statement);
      const proof = opened.patiently(`${statement}; SELECT pg_sleep(0.3)`, signal);
      // It may take its time: meanwhile everybody reads and writes.
      await other.query('SELECT count(*) FROM one');
      await other.query(`INSERT INTO one VALUES (${31_000 + statements.length})`);
      await proof;
    };
    expect(await addPartition({ ...tools, patiently }, table, range(110))).toBe(true);
    expect(statements).toEqual(['ALTER TABLE one_rest VALIDATE CONSTRAINT one_110_elsewhere']);
    expect([await made(), await constraints()]).toEqual([['one_100', 'one_110', 'one_rest'], []]);
    const notices: string[] = [];
    other.on('notice', ({ message }) => notices.push(message ?? ''));
    await other.query(`ALTER TABLE one_rest ADD CONSTRAINT proven CHECK (id < 500 OR id >= 510)`);
    await other.query(
      `set client_min_messages = debug1; begin; create table p partition of one for values from (500) to (510)`,
    );
    expect(notices.join()).toContain('implied by existing constraints');
    await other.query('rollback; set client_min_messages = notice; alter table one_rest drop constraint proven');
  });

  it('wait for somebody who reads for long, hold nobody up meanwhile, and are made later', async () => {
    await other.query('begin; select count(*) from one');
    const waiting = addPartition(tools, table, range(120));
    expect(await opened.sql.query('SELECT count(*)::int AS count FROM one_100')).toEqual([{ count: 1 }]);
    expect(await Promise.all([waiting, dropPartition(tools, 'one_100')])).toEqual([false, false]);
    expect(new Set(said)).toEqual(new Set(['A partition waits for others who use the table']));
    await other.query('commit');
    expect(await addPartition(tools, table, range(120))).toBe(true);
    expect(await dropPartition(tools, 'one_100')).toBe(true);
    expect(await made()).toEqual(['one_110', 'one_120', 'one_rest']);
  });

  it('are not made where rows lie among the rest, and what an interrupted run has left goes', async () => {
    await other.query('ALTER TABLE one_rest ADD CONSTRAINT one_0_elsewhere CHECK (id < 0 OR id >= 10) NOT VALID');
    expect(await addPartition(tools, table, range(0))).toBe(true);
    expect(said).toEqual(['Rows of a partition stay among the rest']);
    expect([await made(), await constraints()]).toEqual([['one_110', 'one_120', 'one_rest'], []]);
  });

  it('that have begun are made at once, without refusing anything meanwhile', async () => {
    expect(await addPartition(tools, table, range(200, false))).toBe(true);
    expect(await made()).toContain('one_200');
  });
});
