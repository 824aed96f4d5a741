import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testCaller } from '@messaging-gateway/service/testing';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import type { WebhooksSettings } from './index.ts';
import type { Order } from './testing/process.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';

const script = fileURLToPath(new URL('testing/process.ts', import.meta.url));
const settings: WebhooksSettings = {
  timeoutMs: 30_000,
  retryAttempts: 5,
  retryDelayMs: 200,
  allowPrivateTargets: true,
  disableAfterHours: 72,
  eventRetentionDays: 7,
  concurrency: 1,
};

let database: TestDatabase;
let customer: Receiver;
const children: ChildProcess[] = [];

beforeEach(async () => {
  database = await testDatabase();
  customer = await startReceiver();
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await customer.stop();
  await database.drop();
});

async function start(): Promise<ChildProcess> {
  const child = fork(script, [database.url, JSON.stringify(settings)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  children.push(child);
  await said(child, 'ready');
  return child;
}
const said = (child: ChildProcess, word: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('message', (message) => message === word && resolve());
    child.on('exit', () => reject(new Error('The process has ended.')));
  });
const order = async (child: ChildProcess, given: Order): Promise<void> => {
  const done = said(child, 'done');
  child.send(given);
  await done;
};
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

describe('a kill -9 in the middle', () => {
  it('loses no delivery and repeats at most the one under way', async () => {
    const caller = testCaller();
    const events = 80;
    customer.behave((response) => void setTimeout(() => response.end(), 5));
    const first = await start();
    await order(first, { caller, url: customer.url });
    const telling = order(first, {
      caller,
      tell: { organizationId: caller.organizationId, profileIds: [v7(), v7(), v7()], count: events },
    });
    await Promise.all([telling, customer.count(25)]);
    await kill(first);
    const before = customer.received.length;
    expect(before).toBeLessThan(events);
    await start();
    const told = (): Set<string> => new Set(customer.received.map(({ body }) => body.id));
    for (let tries = 0; told().size < events && tries < 300; tries++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    // Whatever might still be repeated has had the time for it.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(told().size).toBe(events);
    expect(customer.received.length - events).toBeLessThanOrEqual(1);
    const bodies = new Map(customer.received.map(({ body, raw }) => [body.id, raw.toString()]));
    for (const { body, raw } of customer.received) expect(raw.toString()).toBe(bodies.get(body.id));
  });
});
