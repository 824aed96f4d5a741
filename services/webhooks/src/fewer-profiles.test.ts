import { describe, expect, it } from '@jest/globals';
import { RedeliverWebhook, UpdateWebhook } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { deliveriesOf, eventually, makeWebhook, tellSent } from './testing/webhooks-service.ts';
import { webhooksTest } from './testing/webhooks-test.ts';

const here = webhooksTest();

describe('deliveries of a webhook that is for fewer profiles than before', () => {
  it('are neither shown to a key that is limited to these nor made again for it', async () => {
    const [caller, mine, another] = [testCaller(), v7(), v7()];
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    const [seen, hidden] = [await tellSent(here.service, caller, mine), await tellSent(here.service, caller, another)];
    await customer.count(2);
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { profileIds: [mine] } });
    const limited = { ...caller, profileIds: [mine] };
    const shown = await deliveriesOf(here.service, limited, id);
    expect(shown.map(({ eventId }) => eventId)).toEqual([seen.id]);
    const params = { id, deliveryId: hidden.id };
    await expect(here.service.call(RedeliverWebhook, { caller: limited, params })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await deliveriesOf(here.service, caller, id)).toHaveLength(2);
  });

  it('that wait are not made any more, wherever the webhook leads by then', async () => {
    const [caller, mine, another] = [testCaller(), v7(), v7()];
    const [customer, elsewhere] = [await here.receiver(), await here.receiver()];
    customer.behave(500);
    const { id } = await makeWebhook(here.service, caller, { url: customer.url });
    await tellSent(here.service, caller, another);
    const { id: seen } = await tellSent(here.service, caller, mine);
    await customer.count(2);
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { profileIds: [mine] } });
    const limited = { ...caller, profileIds: [mine] };
    await here.service.call(UpdateWebhook, { caller: limited, params: { id }, body: { url: elsewhere.url } });
    const settled = await eventually(
      () => deliveriesOf(here.service, caller, id),
      (all) => all.every(({ status }) => status !== 'pending'),
    );
    expect(settled.map(({ status, error }) => [status, error])).toEqual([
      ['delivered', null],
      ['failed', 'PROFILE_NOT_INCLUDED'],
    ]);
    expect(elsewhere.received.map(({ body }) => body.id)).toEqual([seen]);
  });
});
