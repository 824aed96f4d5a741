import { describe, expect, it } from '@jest/globals';
import { RedeliverWebhook } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { deliveriesOf, eventually, makeWebhook, tellMany, tellSent } from './testing/webhooks-service.ts';
import { second, webhooksTest } from './testing/webhooks-test.ts';

const here = webhooksTest();

describe('a delivery that waits', () => {
  it('is made at once when it is asked for again, with all attempts anew', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    customer.behave(500);
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    const event = await tellSent(here.service, caller);
    await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.attempts === 1 && one.nextAttemptAt !== null,
    );
    customer.behave(200);
    const params = { id, deliveryId: event.id };
    const { body } = await here.service.call(RedeliverWebhook, { caller, params });
    const { attempts, nextAttemptAt } = body as { attempts: number; nextAttemptAt: string };
    expect(attempts).toBe(0);
    expect(Date.parse(nextAttemptAt)).toBeLessThanOrEqual(here.service.clock.now());
    await customer.count(2);
    const [delivered] = await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.status === 'delivered',
    );
    expect(delivered?.attempts).toBe(1);
  });

  it('behind a receiver that is down has the first in line tried at once, and comes in the order of the log', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    customer.behave(500);
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    const events = await tellMany(here.service, caller, 5);
    await eventually(
      () => here.service.sql.query('SELECT FROM failing WHERE webhook_id = $1 AND open', [id]),
      (open) => open.length > 0,
    );
    await eventually(
      () => deliveriesOf(here.service, caller, id),
      (all) => all.every(({ nextAttemptAt }) => nextAttemptAt !== null),
    );
    const before = customer.received.length;
    customer.behave(200);
    const begun = here.service.clock.now();
    await here.service.call(RedeliverWebhook, { caller, params: { id, deliveryId: events[4]?.id ?? '' } });
    const came = (await customer.count(before + 5)).slice(before).map(({ body }) => body.id);
    expect(here.service.clock.now() - begun).toBeLessThan(15 * second); // of the 30 that it would have waited
    expect(came[0]).toBe(events[0]?.id);
    expect(came.toSorted()).toEqual(events.map((event) => event.id).toSorted());
  });
});
