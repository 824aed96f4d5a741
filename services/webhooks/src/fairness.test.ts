import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { testCaller } from '@messaging-gateway/service/testing';
import { eventually, makeWebhook, tellMany } from './testing/webhooks-service.ts';
import { webhooksTest } from './testing/webhooks-test.ts';

/** A hundred webhooks, all that an organization may have, with as many attempts at once as the process has places. */
const here = webhooksTest({ concurrency: 20, timeoutMs: 600_000 });

describe('an organization with very many webhooks whose receivers do not answer', () => {
  it('holds up no other, and gets its deliveries in the end', async () => {
    const { service } = here;
    const [slow, prompt] = [await here.receiver(), await here.receiver()];
    const held: ServerResponse[] = [];
    slow.behave((response) => void held.push(response));
    const [first, second] = [testCaller(), testCaller()];
    const webhooks = await Promise.all(
      Array.from({ length: 100 }, () => makeWebhook(service, first, { url: slow.url })),
    );
    const other = await makeWebhook(service, second, { url: prompt.url });
    await tellMany(service, first, 20);
    // All that it may have is under way.
    await slow.count(1000);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(slow.received).toHaveLength(1000);

    const told = await tellMany(service, second, 30);
    await prompt.count(30);
    expect(new Set(prompt.received.map(({ body }) => body.id))).toEqual(new Set(told.map(({ id }) => id)));
    await eventually(
      () => here.statuses(second, other.id),
      (all) => all.every((status) => status === 'delivered'),
    );
    expect(slow.received).toHaveLength(1000);

    slow.behave(200);
    for (const response of held) response.end();
    await slow.count(2000);
    for (const { id } of webhooks) {
      await eventually(
        () => here.statuses(first, id),
        (all) => all.length === 20 && all.every((status) => status === 'delivered'),
      );
    }
    expect(slow.received).toHaveLength(2000);
  });
});
