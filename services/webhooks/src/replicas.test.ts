import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  GetWebhook,
  ReadEvents,
  UpdateWebhook,
  WebhookDisabled,
  type Caller,
  type EventEnvelope,
} from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { startReceiver, type Receiver } from './testing/receiver.ts';
import {
  advanceUntil,
  deliveriesOf,
  eventually,
  makeWebhook,
  tellMany,
  tellSent,
  testWebhooks,
} from './testing/webhooks-service.ts';
import { second } from './testing/webhooks-test.ts';

describe.each(['one', 'all'] as const)('two replicas of webhooks, each event to %s of them', (division) => {
  let service: TestService;
  const receivers: Receiver[] = [];
  const receiver = async (): Promise<Receiver> => {
    const started = await startReceiver();
    receivers.push(started);
    return started;
  };
  beforeAll(async () => {
    service = await testWebhooks({}, { replicas: 2, division });
  });
  afterEach(() => Promise.all(receivers.splice(0).map((one) => one.stop())).then(() => undefined));
  afterAll(() => service.stop());

  const many = (caller: Caller, count: number): Promise<EventEnvelope[]> =>
    Promise.all(Array.from({ length: count }, () => tellSent(service, caller)));
  const attempts = async (caller: Caller, id: string): Promise<number[]> =>
    (await deliveriesOf(service, caller, id, { limit: 200 })).map((one) => one.attempts);
  const statuses = async (caller: Caller, id: string): Promise<string[]> =>
    (await deliveriesOf(service, caller, id, { limit: 200 })).map(({ status }) => status);
  const read = async (caller: Caller, query: Record<string, unknown>) =>
    (await service.call(ReadEvents, { caller, query })).body as { items: { id: string }[]; nextCursor: string };

  it('log each event once and deliver it once', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    const told = new Set((await many(caller, 60)).map((event) => event.id));
    await eventually(
      () => statuses(caller, id),
      (all) => all.length === 60 && all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(60);
    expect(new Set(customer.received.map(({ body }) => body.id))).toEqual(told);
    for (let look = 0; look < 2; look++) {
      const { items } = await read(caller, { limit: 200 });
      expect(items).toHaveLength(60);
      expect(new Set(items.map((item) => item.id))).toEqual(told);
    }
  });

  it('wake whoever waits for events, on either of them', async () => {
    const caller = testCaller();
    const { nextCursor } = await read(caller, { after: 'latest' });
    const waiting = [1, 2, 3, 4].map(() => read(caller, { after: nextCursor, wait: 20 }));
    const { id } = await tellSent(service, caller);
    for (const { items } of await Promise.all(waiting)) expect(items.map((item) => item.id)).toEqual([id]);
  });

  it('try nothing but the first in line while a receiver is down, and everything once it is back', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await customer.stop();
    await tellSent(service, caller);
    await eventually(
      () => attempts(caller, id),
      ([first]) => first === 1,
    );
    await tellMany(service, caller, 20);
    await advanceUntil(service, 30 * second, async () => ((await attempts(caller, id)).at(-1) ?? 0) >= 3);
    // Each replica may have had one on its way when the other learnt that the receiver is down.
    expect((await attempts(caller, id)).slice(0, -1).filter((count) => count > 0).length).toBeLessThanOrEqual(1);
    await customer.restart();
    await advanceUntil(service, 30 * second, async () => customer.received.length > 0);
    await eventually(
      () => statuses(caller, id),
      (all) => all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(21);
  });

  it('disable a webhook once, and both go by it', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    customer.behave(410);
    await many(caller, 10);
    const enabled = async () =>
      ((await service.call(GetWebhook, { caller, params: { id } })).body as { enabled: boolean }).enabled;
    await eventually(enabled, (found) => !found);
    await eventually(
      () => statuses(caller, id),
      (all) => all.every((status) => status === 'failed'),
    );
    const disabled = (await service.published(WebhookDisabled)).filter(({ data }) => data.id === id);
    expect(disabled).toHaveLength(1);
    const before = customer.received.length;
    await many(caller, 4);
    expect(customer.received).toHaveLength(before);
    customer.behave(200);
    await service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    await many(caller, 4);
    await customer.count(before + 4);
  });

  it('hand over what they had in hand when one stops', async () => {
    const caller = testCaller();
    const customer = await receiver();
    customer.behave((response) => void setTimeout(() => response.end(), 20));
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    const told = many(caller, 60);
    await customer.count(5);
    await service.stopReplica(0);
    await told;
    await eventually(
      () => statuses(caller, id),
      (all) => all.length === 60 && all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(60);
    await service.restart();
  });
});
