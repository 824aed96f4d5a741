import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { RedeliverWebhook, ReplayWebhook } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { advanceUntil, deliveriesOf, eventually, makeWebhook, tellMany, tellSent } from './testing/webhooks-service.ts';
import { hour, second, webhooksTest } from './testing/webhooks-test.ts';

const here = webhooksTest();

describe('a delivery that is refused', () => {
  it('is tried again after 30, 60, 120 and 240 seconds, always with the same id and body, and has failed then', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const arrivals: number[] = [];
    customer.behave((response) => {
      arrivals.push(here.service.clock.now());
      response.writeHead(500).end();
    });
    const { id } = await makeWebhook(here.service, caller, { url: customer.url, secret: 'a secret' });
    const event = await tellSent(here.service, caller);
    await customer.count(1);
    for (const [made, wait] of [
      [1, 30],
      [2, 60],
      [3, 120],
      [4, 240],
    ] as const) {
      const [pending] = await eventually(
        () => deliveriesOf(here.service, caller, id),
        ([one]) => one?.attempts === made && one.nextAttemptAt !== null,
      );
      expect(pending).toMatchObject({ status: 'pending', statusCode: 500, error: 'HTTP_500' });
      expect(Date.parse(pending?.nextAttemptAt ?? '') - Date.parse(pending?.lastAttemptAt ?? '')).toBe(wait * second);
      here.service.clock.advance((wait / 2) * second);
      await new Promise((resolve) => setTimeout(resolve, 50));
      here.service.clock.advance((wait / 2) * second);
      await customer.count(made + 1);
      expect(arrivals[made]).toBeGreaterThanOrEqual(Date.parse(pending?.nextAttemptAt ?? ''));
    }
    const [failed] = await eventually(
      () => deliveriesOf(here.service, caller, id),
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
    const customer = await here.receiver();
    const profileId = v7();
    customer.behave((response, { body }) => response.writeHead(body.profileId === profileId ? 500 : 200).end());
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await tellSent(here.service, caller, profileId);
    for (let n = 0; n < 5; n++) await tellSent(here.service, caller);
    await customer.count(6);
    const found = await eventually(
      () => here.statuses(caller, id),
      (all) => all.filter((status) => status === 'delivered').length === 5,
    );
    expect(found).toContain('pending');
  });

  it('can be delivered again, with the same id and body', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    const event = await tellSent(here.service, caller);
    await eventually(
      () => here.statuses(caller, id),
      ([one]) => one === 'delivered',
    );
    const params = { id, deliveryId: event.id };
    const again = await here.service.call(RedeliverWebhook, { caller, params });
    expect(again).toMatchObject({ status: 202, body: { id: event.id, status: 'pending', attempts: 0 } });
    const [first, repeated] = await customer.count(2);
    expect(repeated?.headers['webhook-id']).toBe(event.id);
    expect(repeated?.raw).toEqual(first?.raw);
    expect(
      await eventually(
        () => deliveriesOf(here.service, caller, id),
        ([one]) => one?.status === 'delivered',
      ),
    ).toHaveLength(1);
    await expect(here.service.call(RedeliverWebhook, { caller: testCaller(), params })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(
      here.service.call(RedeliverWebhook, { caller, params: { id, deliveryId: v7() } }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a delivery whose event is no longer kept', () => {
  const shortly = webhooksTest({ eventRetentionDays: 0.5, retryDelayMs: 6 * hour, retryAttempts: 2 });

  it('cannot be made again', async () => {
    const { service } = shortly;
    const caller = testCaller();
    const customer = await shortly.receiver();
    customer.behave(500);
    const { id } = await makeWebhook(service, caller, { url: customer.url });
    const event = await tellSent(service, caller);
    await customer.count(1);
    await advanceUntil(service, hour, async () => (await shortly.statuses(caller, id))[0] === 'failed');
    service.clock.advance(8 * hour);
    await eventually(
      () => service.sql.query('SELECT FROM event_log WHERE id = $1', [event.id]),
      (rows) => rows.length === 0,
    );
    const params = { id, deliveryId: event.id };
    await expect(service.call(RedeliverWebhook, { caller, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a receiver that is down', () => {
  it('for an hour: what was tried has failed and is replayed, others notice nothing', async () => {
    const caller = testCaller();
    const [down, well] = [await here.receiver(), await here.receiver()];
    const { id } = await makeWebhook(here.service, caller, { url: down.url });
    await makeWebhook(here.service, caller, { url: well.url });
    down.behave((response) => response.destroy());
    const since = new Date(here.service.clock.now()).toISOString();
    const told = await tellMany(here.service, caller, 3);
    await well.count(3);
    await advanceUntil(here.service, 30 * second, async () =>
      (await here.statuses(caller, id)).every((status) => status === 'failed'),
    );
    expect(down.received).toHaveLength(15);
    down.behave(200);
    const replayed = await here.service.call(ReplayWebhook, { caller, params: { id }, body: { since } });
    expect(replayed).toMatchObject({ status: 202, body: { count: 3 } });
    await down.count(18);
    await eventually(
      () => here.statuses(caller, id),
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
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await customer.stop();
    const attempts = async (): Promise<number[]> =>
      (await deliveriesOf(here.service, caller, id, { limit: 200 })).map((one) => one.attempts);
    await tellSent(here.service, caller);
    await eventually(attempts, ([first]) => first === 1);
    await tellMany(here.service, caller, 30);
    await advanceUntil(here.service, 30 * second, async () => (await attempts()).at(-1) === 3);
    expect(await attempts()).toEqual([...Array.from({ length: 30 }, () => 0), 3]);
    await customer.restart();
    await advanceUntil(here.service, 30 * second, async () => customer.received.length > 0);
    await eventually(
      () => here.statuses(caller, id),
      (all) => all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(31);
  });

  it.each([
    ['never answers', () => undefined],
    ['answers without an end', (response: ServerResponse) => void response.writeHead(500).write('x'.repeat(100_000))],
  ])('and %s does not delay another', async (_name, behaviour) => {
    const caller = testCaller();
    const [stuck, well] = [await here.receiver(), await here.receiver()];
    stuck.behave(behaviour);
    for (let n = 0; n < 3; n++) await makeWebhook(here.service, caller, { url: stuck.url });
    await makeWebhook(here.service, caller, { url: well.url });
    await Promise.all(Array.from({ length: 50 }, () => tellSent(here.service, caller)));
    await well.count(50);
    expect(well.received).toHaveLength(50);
  });

  it('with an endless answer of 200 has the delivery all the same', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    customer.behave((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(1000)), 5);
      response.on('close', () => clearInterval(timer));
    });
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await Promise.all(Array.from({ length: 30 }, () => tellSent(here.service, caller)));
    await eventually(
      () => here.statuses(caller, id),
      (all) => all.length === 30 && all.every((status) => status === 'delivered'),
    );
    expect(customer.received).toHaveLength(30);
  });
});
