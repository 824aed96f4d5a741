import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RedeliverWebhook, ReplayWebhook, type Caller } from '@messaging-gateway/contracts';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
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

const statuses = async (caller: Caller, id: string): Promise<string[]> =>
  (await deliveriesOf(service, caller, id, { limit: 200 })).map(({ status }) => status);

describe('a delivery that is refused', () => {
  it('is tried again after 30, 60, 120 and 240 seconds, always with the same id and body, and has failed then', async () => {
    const caller = testCaller();
    const customer = await receiver();
    customer.behave(500);
    const { id } = await makeWebhook(service, caller, { url: customer.url, secret: 'a secret' });
    const event = await tellSent(service, caller);
    await customer.count(1);
    for (const [made, wait] of [
      [1, 30],
      [2, 60],
      [3, 120],
      [4, 240],
    ] as const) {
      const [pending] = await eventually(
        () => deliveriesOf(service, caller, id),
        ([one]) => one?.attempts === made && one.nextAttemptAt !== null,
      );
      expect(pending).toMatchObject({ status: 'pending', statusCode: 500, error: 'HTTP_500' });
      expect(Date.parse(pending?.nextAttemptAt ?? '') - Date.parse(pending?.lastAttemptAt ?? '')).toBe(wait * second);
      service.clock.advance((wait - 10) * second);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(customer.received).toHaveLength(made);
      service.clock.advance(10 * second);
      await customer.count(made + 1);
    }
    const [failed] = await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.status === 'failed',
    );
    expect(failed).toMatchObject({
      id: event.id,
      eventId: event.id,
      event: 'message.sent',
      attempts: 5,
      statusCode: 500,
      nextAttemptAt: null,
    });
    expect(new Set(customer.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]));
    expect(new Set(customer.received.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(new Set(customer.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
  });

  it('holds up no others: a receiver that refuses one event gets the rest', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const profileId = v7();
    customer.behave((response, { body }) => response.writeHead(body.profileId === profileId ? 500 : 200).end());
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await tellSent(service, caller, profileId);
    for (let n = 0; n < 5; n++) await tellSent(service, caller);
    await customer.count(6);
    const found = await eventually(
      () => statuses(caller, id),
      (all) => all.filter((status) => status === 'delivered').length === 5,
    );
    expect(found).toContain('pending');
  });

  it('can be delivered again, with the same id and body', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    const event = await tellSent(service, caller);
    await eventually(
      () => statuses(caller, id),
      ([one]) => one === 'delivered',
    );
    const params = { id, deliveryId: event.id };
    const again = await service.call(RedeliverWebhook, { caller, params });
    expect(again).toMatchObject({ status: 202, body: { id: event.id, status: 'pending', attempts: 0 } });
    const [first, repeated] = await customer.count(2);
    expect(repeated?.headers['webhook-id']).toBe(event.id);
    expect(repeated?.raw).toEqual(first?.raw);
    expect(
      await eventually(
        () => deliveriesOf(service, caller, id),
        ([one]) => one?.status === 'delivered',
      ),
    ).toHaveLength(1);
    await expect(service.call(RedeliverWebhook, { caller: testCaller(), params })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(service.call(RedeliverWebhook, { caller, params: { id, deliveryId: v7() } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a receiver that is down', () => {
  it('for an hour: what was tried has failed and is replayed, others notice nothing', async () => {
    const caller = testCaller();
    const [down, well] = [await receiver(), await receiver()];
    const { id } = await makeWebhook(service, caller, { url: down.url });
    await makeWebhook(service, caller, { url: well.url });
    down.behave((response) => response.destroy());
    const since = new Date(service.clock.now()).toISOString();
    const told = await tellMany(service, caller, 3);
    await well.count(3);
    await advanceUntil(service, 30 * second, hour, async () =>
      (await statuses(caller, id)).every((status) => status === 'failed'),
    );
    expect(down.received).toHaveLength(15);
    down.behave(200);
    const replayed = await service.call(ReplayWebhook, { caller, params: { id }, body: { since } });
    expect(replayed).toMatchObject({ status: 202, body: { count: 3 } });
    await down.count(18);
    await eventually(
      () => statuses(caller, id),
      (all) => all.every((status) => status === 'delivered'),
    );
    expect(
      down.received
        .slice(15)
        .map(({ body }) => body.id)
        .toSorted(),
    ).toEqual(told.map((event) => event.id).toSorted());
    expect(well.received).toHaveLength(3);
  });

  it('gets no more attempts than its first in line needs, and everything once it is back', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await customer.stop();
    const attempts = async (): Promise<number[]> =>
      (await deliveriesOf(service, caller, id, { limit: 200 })).map((one) => one.attempts);
    await tellSent(service, caller);
    await eventually(attempts, ([first]) => first === 1);
    await tellMany(service, caller, 30);
    await advanceUntil(service, 30 * second, hour, async () => (await attempts()).at(-1) === 3);
    expect(await attempts()).toEqual([...Array.from({ length: 30 }, () => 0), 3]);
    await customer.restart();
    await advanceUntil(service, 30 * second, hour, async () => customer.received.length > 0);
    await eventually(
      () => statuses(caller, id),
      (all) => all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(31);
  });

  it.each([
    ['never answers', () => undefined],
    ['answers without an end', (response: ServerResponse) => void response.writeHead(500).write('x'.repeat(100_000))],
  ])('and %s does not delay another', async (_name, behaviour) => {
    const caller = testCaller();
    const [stuck, well] = [await receiver(), await receiver()];
    stuck.behave(behaviour);
    for (let n = 0; n < 3; n++) await makeWebhook(service, caller, { url: stuck.url });
    await makeWebhook(service, caller, { url: well.url });
    await Promise.all(Array.from({ length: 50 }, () => tellSent(service, caller)));
    await well.count(50);
    expect(well.received).toHaveLength(50);
  });

  it('with an endless answer of 200 has the delivery all the same', async () => {
    const caller = testCaller();
    const customer = await receiver();
    customer.behave((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(1000)), 5);
      response.on('close', () => clearInterval(timer));
    });
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    await Promise.all(Array.from({ length: 30 }, () => tellSent(service, caller)));
    await eventually(
      () => statuses(caller, id),
      (all) => all.length === 30 && all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(30);
  });
});
