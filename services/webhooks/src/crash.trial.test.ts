import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testCaller } from '@messaging-gateway/service/testing';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import type { WebhooksSettings } from './index.ts';
import { WebhooksProcesses, type WebhooksProcess } from './testing/processes.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import { eventually, usual } from './testing/webhooks-service.ts';

const settings: WebhooksSettings = { ...usual, retryDelayMs: 200, concurrency: 1 };

let database: TestDatabase;
let customer: Receiver;
const processes = new WebhooksProcesses();

beforeEach(async () => {
  database = await testDatabase();
  customer = await startReceiver();
});
afterEach(async () => {
  await processes.killAll();
  await customer.stop();
  await database.drop();
});

const start = (): Promise<WebhooksProcess> => processes.start(database.url, settings);

describe('a kill -9 in the middle', () => {
  it('of one process lets what it had in hand go before anything new', async () => {
    const alone = { ...settings, isAlone: true };
    const caller = testCaller();
    const { organizationId } = caller;
    const [before, after] = [v7(), v7()];
    customer.behave(() => undefined);
    const first = await processes.start(database.url, alone);
    await first.order({ caller, url: customer.url });
    await first.order({ caller, tell: { organizationId, profileIds: [before], count: 5 } });
    await customer.count(1);
    await first.kill();
    const hung = customer.received.length;
    customer.behave(200);
    const second = await processes.start(database.url, alone);
    await second.order({ caller, tell: { organizationId, profileIds: [after], count: 5 } });
    await customer.count(hung + 10);
    const told = customer.received.slice(hung).map(({ body }) => (body.profileId === before ? 'before' : 'after'));
    expect(told).toEqual([...Array<string>(5).fill('before'), ...Array<string>(5).fill('after')]);
  });

  it('loses no delivery and repeats at most the one under way', async () => {
    const caller = testCaller();
    const events = 80;
    // The rest is still to come when the process is killed, however late that is.
    customer.behave((response) => {
      if (customer.received.length < events / 2) setTimeout(() => response.end(), 5);
    });
    const first = await start();
    await first.order({ caller, url: customer.url });
    const telling = first.order({
      caller,
      tell: { organizationId: caller.organizationId, profileIds: [v7(), v7(), v7()], count: events },
    });
    await Promise.all([telling, customer.count(25)]);
    await first.kill();
    expect(customer.received.length).toBeLessThan(events);
    customer.behave(200);
    await start();
    const told = (): Set<string> => new Set(customer.received.map(({ body }) => body.id));
    await eventually(
      async () => told().size,
      (size) => size === events,
    );
    // Whatever might still be repeated has had the time for it.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(told().size).toBe(events);
    expect(customer.received.length - events).toBeLessThanOrEqual(1);
    const bodies = new Map(customer.received.map(({ body, raw }) => [body.id, raw.toString()]));
    for (const { body, raw } of customer.received) expect(raw.toString()).toBe(bodies.get(body.id));
  });
});
