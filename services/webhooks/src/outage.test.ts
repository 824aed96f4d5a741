import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, testClock } from '@messaging-gateway/runtime';
import { prepareService, type PreparedService } from '@messaging-gateway/service';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { Registry } from 'prom-client';
import { webhooks } from './index.ts';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import { deliveriesOf, eventually, makeWebhook, tellSent, testWebhooks, usual } from './testing/webhooks-service.ts';

let service: TestService;
let customer: Receiver;
beforeAll(async () => {
  service = await testWebhooks({ retryDelayMs: 100 });
});
afterAll(() => service.stop());
afterEach(() => customer.stop());

const delivered = (): Set<string> => new Set(customer.received.map(({ body }) => body.id));

describe('deliveries', () => {
  it('are all made although the database breaks off again and again', async () => {
    customer = await startReceiver();
    const caller = testCaller();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    const breaking = new AbortController();
    const breaks = (async () => {
      while (!breaking.signal.aborted) {
        await service.sql
          .query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'webhooks' AND datname = current_database() AND pid <> pg_backend_pid()`,
          )
          .catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    const telling = Promise.all(Array.from({ length: 200 }, () => tellSent(service, caller)));
    await new Promise((resolve) => setTimeout(resolve, 400));
    breaking.abort();
    await breaks;
    const told = await telling;
    await eventually(
      async () => delivered().size,
      (size) => size === 200,
      120_000,
    );
    expect(delivered()).toEqual(new Set(told.map((event) => event.id)));
    await eventually(
      () => deliveriesOf(service, caller, id, { limit: 200 }),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
  });

  it('that a process had in hand when it went away are made by another', async () => {
    customer = await startReceiver();
    const caller = testCaller();
    await makeWebhook(service, caller, { url: customer.url });
    // A dispatcher that was last seen a while ago, not so long that it is forgotten, with the delivery in its hands.
    const gone = '0198c0de-0000-7000-8000-00000000dead';
    await service.sql.query(`INSERT INTO dispatchers VALUES ($1, clock_timestamp() - interval '5 seconds')`, [gone]);
    customer.behave((response) => void setTimeout(() => response.destroy(), 200));
    await tellSent(service, caller);
    await customer.count(1);
    await service.sql.query('UPDATE outstanding SET claimed_by = $1 WHERE organization_id = $2', [
      gone,
      caller.organizationId,
    ]);
    customer.behave(200);
    await customer.count(2);
    expect(delivered().size).toBe(1);
  });

  it('that a process claimed at the very end, when it had said goodbye, are made by another', async () => {
    customer = await startReceiver();
    const caller = testCaller();
    await makeWebhook(service, caller, { url: customer.url });
    customer.behave((response) => void setTimeout(() => response.destroy(), 200));
    await tellSent(service, caller);
    await customer.count(1);
    await service.sql.query('UPDATE outstanding SET claimed_by = $1, due_at = NULL WHERE organization_id = $2', [
      '0198c0de-0000-7000-8000-0000000000ff',
      caller.organizationId,
    ]);
    customer.behave(200);
    const other = await secondReplica();
    await customer.count(2);
    expect(delivered().size).toBe(1);
    await other.stopIntake();
    await other.close();
  });

  it('are shared by two processes and made once', async () => {
    customer = await startReceiver();
    const caller = testCaller();
    const other = await secondReplica();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    customer.behave(500);
    await Promise.all(Array.from({ length: 20 }, () => tellSent(service, caller)));
    await eventually(
      () => deliveriesOf(service, caller, id),
      (all) => all.length === 20 && all.every(({ nextAttemptAt }) => nextAttemptAt !== null),
    );
    const failed = customer.received.length;
    customer.behave(200);
    service.clock.advance(60_000);
    await eventually(
      () => deliveriesOf(service, caller, id),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
    expect(customer.received.length - failed).toBe(20);
    await other.stopIntake();
    await other.close();
  });
});

/** A second replica on the same data: it takes no events in, and delivers what waits. */
async function secondReplica(): Promise<PreparedService> {
  const [row] = await service.sql.query<{ name: string }>('SELECT current_database() AS name');
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${row?.name}`;
  const quiet = async () => async () => undefined;
  const replica = await prepareService(
    webhooks,
    { ...usual, retryDelayMs: 100 },
    {
      ports: {
        operations: { request: () => Promise.reject(new Error('not asked')), serve: quiet },
        events: { ...service.ports.events, subscribe: quiet, publishFrom: quiet },
      },
      databaseUrl: url.href,
      clock: service.clock,
      log: silentLogger,
      metrics: new Registry(),
      cache: memoryCache(testClock()),
      media: noMedia,
      encryption: encryptionKeys('a test key with 32 characters...'),
    },
  );
  await replica.start();
  return replica;
}
