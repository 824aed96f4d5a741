import { describe, expect, it } from '@jest/globals';
import {
  EraseWebhooksData,
  GetWebhook,
  ReadEvents,
  ReplayWebhook,
  UpdateWebhook,
  WebhookDisabled,
  type Caller,
} from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { advanceUntil, deliveriesOf, eventually, makeWebhook, tellSent } from './testing/webhooks-service.ts';
import { minute, hour, webhooksTest } from './testing/webhooks-test.ts';

const here = webhooksTest();

const webhookNow = async (caller: Caller, id: string): Promise<Record<string, unknown>> =>
  (await here.service.call(GetWebhook, { caller, params: { id } })).body as Record<string, unknown>;

describe('a webhook is disabled', () => {
  it('by 410, tells so, and what waits has failed', async () => {
    const caller = testCaller();
    const [gone, watcher] = [await here.receiver(), await here.receiver()];
    await makeWebhook(here.service, caller, { url: watcher.url, events: ['webhook.*'] });
    const { id } = await makeWebhook(here.service, caller, { url: gone.url, events: ['message.*'] });
    gone.behave(410);
    await tellSent(here.service, caller);
    await watcher.count(1);
    expect(watcher.received[0]?.body).toMatchObject({
      event: 'webhook.disabled',
      profileId: null,
      data: { id, url: gone.url, reason: 'GONE' },
    });
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    expect(
      await eventually(
        () => here.statuses(caller, id),
        ([one]) => one === 'failed',
      ),
    ).toEqual(['failed']);
    await expect(
      here.service.call(ReplayWebhook, { caller, params: { id }, body: { since: '2020-01-01T00:00:00.000Z' } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    gone.behave(200);
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true, disabledReason: null });
    await here.service.call(ReplayWebhook, { caller, params: { id }, body: { since: '2020-01-01T00:00:00.000Z' } });
    await eventually(
      () => here.statuses(caller, id),
      ([one]) => one === 'delivered',
    );
  });

  it('by 72 hours of nothing but failures', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    customer.behave(500);
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await tellSent(here.service, caller);
    await eventually(
      () => here.statuses(caller, id),
      ([one]) => one === 'pending',
    );
    await advanceUntil(here.service, 5 * minute, async () => (await here.statuses(caller, id))[0] === 'failed');
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true });
    here.service.clock.advance(72 * hour);
    await tellSent(here.service, caller);
    await eventually(
      () => webhookNow(caller, id),
      ({ enabled }) => enabled === false,
    );
    expect(await webhookNow(caller, id)).toMatchObject({ disabledReason: 'FAILING' });
    await eventually(
      () => here.statuses(caller, id),
      (all) => all.length === 2 && all.every((status) => status === 'failed'),
    );
    const told = await here.service.published(WebhookDisabled);
    expect(told.filter(({ data }) => data.id === id)).toHaveLength(1);
    // Enabled again it has another 72 hours.
    const failed = customer.received.length;
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    await tellSent(here.service, caller);
    await customer.count(failed + 1);
    await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.attempts === 1,
    );
    expect(await webhookNow(caller, id)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('is tried at once where it leads by now', async () => {
    const caller = testCaller();
    const [old, young] = [await here.receiver(), await here.receiver()];
    old.behave((response) => response.destroy());
    const { id } = await makeWebhook(here.service, caller, { url: old.url });
    await tellSent(here.service, caller);
    await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.attempts === 1,
    );
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { url: young.url } });
    await young.count(1);
    expect(young.received[0]?.raw).toEqual(old.received[0]?.raw);
  });

  it('by its owner, which ends what waits', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    customer.behave(500);
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await tellSent(here.service, caller);
    await customer.count(1);
    await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.nextAttemptAt !== null,
    );
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: false } });
    const [failed] = await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.status === 'failed',
    );
    expect(failed).toMatchObject({ error: 'WEBHOOK_DISABLED', attempts: 1 });
  });
});

describe('an organization that is erased', () => {
  it('leaves nothing behind', async () => {
    const [caller, other] = [testCaller(), testCaller()];
    const customer = await here.receiver();
    await makeWebhook(here.service, caller, { url: customer.url, secret: 'a secret' });
    await tellSent(here.service, caller);
    await tellSent(here.service, other);
    await customer.count(1);
    const { organizationId, userId } = caller;
    const whose = { organizationId, userId, wholeOrganization: true };
    await here.service.ask(EraseWebhooksData, whose);
    await here.service.ask(EraseWebhooksData, whose);
    expect((await here.service.call(ReadEvents, { caller })).body).toMatchObject({ items: [] });
    expect((await here.service.call(ReadEvents, { caller: other })).body).toMatchObject({ items: [expect.anything()] });
    for (const table of ['event_log', 'deliveries', 'outstanding']) {
      expect(
        await here.service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [caller.organizationId]),
      ).toEqual([]);
    }
  });
});
