import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { ownPostgres, type OwnServer } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { v7 } from 'uuid';
import type { WebhooksSettings } from './index.ts';
import { WebhooksProcesses, type WebhooksProcess } from './testing/processes.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import { eventually, usual } from './testing/webhooks-service.ts';

const settings: WebhooksSettings = { ...usual, retryDelayMs: 200, concurrency: 4 };
const patienceMs = 300_000;

let server: OwnServer;
let customer: Receiver;
let caller: Caller;
let one: WebhooksProcess;
let two: WebhooksProcess;
/** Requests that arrived in earlier tests. */
let before: number;
/** Requests that were under way at the receiver at the same time, at most. */
let most: number;
const processes = new WebhooksProcesses();

beforeAll(async () => {
  [server, customer] = await Promise.all([ownPostgres(), startReceiver()]);
  caller = testCaller();
  let underWay = 0;
  customer.behave((response) => {
    most = Math.max(most, (underWay += 1));
    setTimeout(() => {
      underWay -= 1;
      response.end();
    }, 10);
  });
  [one, two] = await startTwo();
});
beforeEach(() => {
  before = customer.received.length;
  most = 0;
});
afterAll(async () => {
  await processes.killAll();
  await customer.stop();
  await server.drop();
});

/** Two processes, each of which reads every event, and which know of each other. */
async function startTwo(): Promise<readonly [WebhooksProcess, WebhooksProcess]> {
  const first = await processes.start(server.url, settings);
  const second = await processes.start(server.url, settings);
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const seen = () =>
    client
      .query('SELECT FROM webhooks.dispatchers WHERE seen_at > $1', [rows[0]?.now])
      .then(({ rowCount }) => rowCount);
  await eventually(seen, (count) => count === 2, patienceMs);
  await client.end();
  await first.order({ caller, url: customer.url });
  return [first, second];
}
const told = (): Set<string> => new Set(customer.received.slice(before).map(({ body }) => body.id));
const arrived = (count: number) =>
  eventually(
    async () => customer.received.length,
    (length) => length >= before + count,
    patienceMs,
  );
const tell = (count: number): Promise<void> =>
  one.order({
    caller,
    tell: { organizationId: caller.organizationId, profileIds: [v7(), v7(), v7()], count },
  });
/** All have arrived and are written down, so that nothing can be repeated any more. @returns repeats */
async function allArrived(count: number): Promise<number> {
  await eventually(
    async () => told().size,
    (size) => size === count,
    patienceMs,
  );
  await eventually(
    () => rowsOf('SELECT FROM webhooks.outstanding'),
    (rows) => rows === 0,
    patienceMs,
  );
  expect(told().size).toBe(count);
  return customer.received.length - before - count;
}
/** Nothing is repeated but what a process had under way that the machine held up. */
const repeatable = (): number => (one.stalls() + two.stalls()) * settings.concurrency;
async function rowsOf(query: string): Promise<number | null> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rowCount } = await client.query(query);
  await client.end();
  return rowCount;
}

describe('two processes of webhooks on one database', () => {
  it(
    'deliver each event once, and share the number of requests under way',
    async () => {
      await tell(60);
      expect(await allArrived(60)).toBeLessThanOrEqual(repeatable());
      expect(most).toBeLessThanOrEqual(settings.concurrency);
    },
    3 * patienceMs,
  );

  it(
    'take nothing from each other when the database is back after longer than they are given',
    async () => {
      const telling = tell(80).catch(() => undefined);
      await arrived(20);
      await telling;
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 6000));
      await server.start();
      expect(await allArrived(80)).toBeLessThanOrEqual(repeatable());
    },
    3 * patienceMs,
  );

  it(
    'lose nothing when one is killed -9, and repeat at most what it had under way',
    async () => {
      const telling = tell(80);
      await Promise.all([telling, arrived(20)]);
      await two.kill();
      // Two under way, and what had arrived and was not yet written down.
      expect(await allArrived(80)).toBeLessThanOrEqual(8 + repeatable());
      await tell(10);
      await eventually(
        async () => told().size,
        (size) => size === 90,
        patienceMs,
      );
    },
    4 * patienceMs,
  );
});
