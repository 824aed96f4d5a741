import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EraseWebhookData,
  GetWebhook,
  ReadEvents,
  ReplayWebhook,
  UpdateWebhook,
  WebhookDisabled,
  type Caller,
} from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import {
  advanceUntil,
  deliveriesOf,
  eventually,
  makeWebhook,
  tellSent,
  testWebhooks,
} from './testing/webhooks-service.ts';

let service: TestService;
const receivers: Receiver[] = [];
const receiver = async (): Promise<Receiver> => {
  const started = await startReceiver();
  receivers.push(started);
  return started;
};
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

beforeAll(async () => {
  service = await testWebhooks();
});
afterEach(() => Promise.all(receivers.splice(0).map((one) => one.stop())).then(() => undefined));
afterAll(() => service.stop());

const webhookNow = async (caller: Caller, id: string): Promise<Record<string, unknown>> =>
  (await service.call(GetWebhook, { caller, params: { id } })).body as Record<string, unknown>;
const statuses = async (caller: Caller, id: string): Promise<string[]> =>
  (await deliveriesOf(service, caller, id, { limit: 200 })).map(({ status }) => status);

describe('a webhook is disabled', () => {
  it('by 410, tells so, and what waits has failed', async () => {
    const caller = testCaller();
    const [gone, watcher] = [await receiver(), await receiver()];
    await makeWebhook(service, caller, { url: watcher.url, events: ['webhook.*'] });
    const { id } = await makeWebhook(service, caller, { url: gone.url, events: ['message.*'] });
    gone.behave(410);
    await tellSent(service, caller);
    await watcher.count(1);
    expect(watcher.received[0]?.body).toMatchObject({
      event: 'webhook.disabled',
      profileId: null,
      data: { id, url: gone.url, reason: 'GONE' },
    });
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    expect(
      await eventually(
        () => statuses(caller, id),
        ([one]) => one === 'failed',
      ),
    ).toEqual(['failed']);
    await expect(
      service.call(ReplayWebhook, { caller, params: { id }, body: { since: '2020-01-01T00:00:00.000Z' } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    gone.behave(200);
    await service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true, disabledReason: null });
    await service.call(ReplayWebhook, { caller, params: { id }, body: { since: '2020-01-01T00:00:00.000Z' } });
    await eventually(
      () => statuses(caller, id),
      ([one]) => one === 'delivered',
    );
  });

  it('by 72 hours of nothing but failures', async () => {
    const caller = testCaller();
    const customer = await receiver();
    customer.behave(500);
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await tellSent(service, caller);
    await eventually(
      () => statuses(caller, id),
      ([one]) => one === 'pending',
    );
    await advanceUntil(service, 5 * minute, hour, async () => (await statuses(caller, id))[0] === 'failed');
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true });
    service.clock.advance(72 * hour);
    await tellSent(service, caller);
    await eventually(
      () => webhookNow(caller, id),
      ({ enabled }) => enabled === false,
    );
    expect(await webhookNow(caller, id)).toMatchObject({ disabledReason: 'FAILING' });
    await eventually(
      () => statuses(caller, id),
      (all) => all.length === 2 && all.every((status) => status === 'failed'),
    );
    const told = await service.published(WebhookDisabled);
    expect(told.filter(({ data }) => data.id === id)).toHaveLength(1);
    // Enabled again it has another 72 hours.
    const failed = customer.received.length;
    await service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    await tellSent(service, caller);
    await customer.count(failed + 1);
    await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.attempts === 1,
    );
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('is tried at once where it leads by now', async () => {
    const caller = testCaller();
    const [old, young] = [await receiver(), await receiver()];
    old.behave((response) => response.destroy());
    const { id } = await makeWebhook(service, caller, { url: old.url });
    await tellSent(service, caller);
    await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.attempts === 1,
    );
    await service.call(UpdateWebhook, { caller, params: { id }, body: { url: young.url } });
    await young.count(1);
    expect(young.received[0]?.raw).toEqual(old.received[0]?.raw);
  });

  it('by its owner, which ends what waits', async () => {
    const caller = testCaller();
    const customer = await receiver();
    customer.behave(500);
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await tellSent(service, caller);
    await customer.count(1);
    await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.nextAttemptAt !== null,
    );
    await service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: false } });
    const [failed] = await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.status === 'failed',
    );
    expect(failed).toMatchObject({ error: 'WEBHOOK_DISABLED', attempts: 1 });
  });
});

describe('an organization that is erased', () => {
  it('leaves nothing behind', async () => {
    const [caller, other] = [testCaller(), testCaller()];
    const customer = await receiver();
    await makeWebhook(service, caller, { url: customer.url, secret: 'a secret' });
    await tellSent(service, caller);
    await tellSent(service, other);
    await customer.count(1);
    await service.ask(EraseWebhookData, { organizationId: caller.organizationId });
    await service.ask(EraseWebhookData, { organizationId: caller.organizationId });
    expect((await service.call(ReadEvents, { caller })).body).toMatchObject({ items: [] });
    expect((await service.call(ReadEvents, { caller: other })).body).toMatchObject({ items: [expect.anything()] });
    for (const table of ['event_log', 'deliveries', 'outstanding']) {
      expect(
        await service.sql.query(`select 1 from ${table} where organization_id = $1`, [caller.organizationId]),
      ).toEqual([]);
    }
  });
});
