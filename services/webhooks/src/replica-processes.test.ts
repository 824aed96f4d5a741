import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { ownPostgres, testDatabase, type OwnServer, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { v7 } from 'uuid';
import type { WebhooksSettings } from './index.ts';
import { WebhooksProcesses, type WebhooksProcess } from './testing/processes.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import { eventually, usual } from './testing/webhooks-service.ts';

const settings: WebhooksSettings = { ...usual, retryDelayMs: 200, concurrency: 4 };
const patienceMs = 45_000;

let customer: Receiver;
let caller: Caller;
/** Requests that were under way at the receiver at the same time, at most. */
let most: number;
const processes = new WebhooksProcesses();

beforeEach(async () => {
  customer = await startReceiver();
  caller = testCaller();
  most = 0;
  let underWay = 0;
  customer.behave((response) => {
    most = Math.max(most, (underWay += 1));
    setTimeout(() => {
      underWay -= 1;
      response.end();
    }, 10);
  });
});
afterEach(async () => {
  await processes.killAll();
  await customer.stop();
});

/** Two processes, each of which reads every event, and which know of each other. */
async function startTwo(url: string): Promise<readonly [WebhooksProcess, WebhooksProcess]> {
  const one = await processes.start(url, settings);
  const two = await processes.start(url, settings);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const seen = () =>
    client
      .query('select from webhooks.dispatchers where seen_at > $1', [rows[0]?.now])
      .then(({ rowCount }) => rowCount);
  await eventually(seen, (count) => count === 2);
  await client.end();
  await one.order({ caller, url: customer.url });
  return [one, two];
}
const told = (): Set<string> => new Set(customer.received.map(({ body }) => body.id));
const tell = (by: WebhooksProcess, count: number): Promise<void> =>
  by.order({
    caller,
    tell: { organizationId: caller.organizationId, profileIds: [v7(), v7(), v7()], count },
  });
/** All have arrived and are written down, so that nothing can be repeated any more. @returns repeats */
async function allArrived(url: string, count: number): Promise<number> {
  await eventually(
    async () => told().size,
    (size) => size === count,
    patienceMs,
  );
  await eventually(
    () => rowsOf(url, 'select from webhooks.outstanding'),
    (rows) => rows === 0,
    patienceMs,
  );
  expect(told().size).toBe(count);
  return customer.received.length - count;
}
async function rowsOf(url: string, query: string): Promise<number | null> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(query);
  await client.end();
  return rowCount;
}

describe('two processes of webhooks on one database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('deliver each event once, and share the number of requests under way', async () => {
    const [one] = await startTwo(database.url);
    await tell(one, 60);
    expect(await allArrived(database.url, 60)).toBe(0);
    expect(most).toBeLessThanOrEqual(settings.concurrency);
  });

  it('lose nothing when one is killed -9, and repeat at most what it had under way', async () => {
    const [one, two] = await startTwo(database.url);
    const telling = tell(one, 80);
    await Promise.all([telling, customer.count(20)]);
    await two.kill();
    // Two under way, and what had arrived and was not yet written down.
    expect(await allArrived(database.url, 80)).toBeLessThanOrEqual(8);
    await tell(one, 10);
    await eventually(
      async () => told().size,
      (size) => size === 90,
      patienceMs,
    );
  });
});

describe('two processes of webhooks whose database is away for longer than they are given', () => {
  let server: OwnServer;
  beforeEach(async () => {
    server = await ownPostgres();
  });
  afterEach(() => server.drop());

  it('take nothing from each other when it is back', async () => {
    const [one] = await startTwo(server.url);
    const telling = tell(one, 80).catch(() => undefined);
    await customer.count(20);
    await telling;
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 6000));
    await server.start();
    expect(await allArrived(server.url, 80)).toBe(0);
  });
});
