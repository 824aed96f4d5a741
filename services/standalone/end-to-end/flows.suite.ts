import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant, WebhookReceiver } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654471';

/** Flows answer what comes in. */
export function flows(at: () => World): void {
  describe('a flow', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('a secret of flows');
      const hook = { url: receiver.url, secret: 'a secret of flows', events: ['automation.executed'] };
      expect(await tenant.call('POST', '/webhooks', hook)).toMatchObject({ status: 201 });
      profile = await linkProfile(world, tenant, '4915112345671');
    }, 600_000);

    afterAll(() => receiver.stop());

    it('answers the message that sets it off, once, and says so', async () => {
      const body = {
        profileId: profile.profileId,
        name: 'Prices',
        trigger: { type: 'regex', value: '(?i)price of (\\w+)' },
        conditions: [{ type: 'tag', value: 'blocked', not: true }],
        actions: [
          {
            type: 'send',
            message: { type: 'text', text: '{{1}}, {{metadata.title|dear}}: {{link}}', link: 'https://shop.example' },
          },
        ],
      };
      const made = await tenant.call<{ id: string }>('POST', '/automation', body);
      expect(made).toMatchObject({ status: 201, body: { priority: 1, enabled: true } });
      const path = `/automation/${made.body.id}`;
      const tried = await tenant.call('POST', `${path}/test`, { message: 'The PRICE of tea?', from: contact });
      expect(tried).toMatchObject({ status: 200, body: { matched: true, match: 'PRICE of tea' } });
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'No words of it' });
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'The price of tea?' });
      const answers = await world.network.waitForMessages(contact, 1);
      expect(answers.map(({ text }) => text)).toEqual(['tea, dear: https://shop.example']);
      const told = await receiver.waitFor(({ event }) => event === 'automation.executed');
      expect(told).toMatchObject({ signatureValid: true, profileId: profile.profileId });
      expect(told.data).toMatchObject({ id: made.body.id, status: 'completed', messageIds: [expect.any(String)] });
      const counted = await eventually(async () => {
        const stats = await tenant.call<{ succeeded: number }>('GET', `${path}/stats`);
        return stats.body.succeeded === 1 ? stats.body : undefined;
      });
      expect(counted).toEqual({ triggered: 1, succeeded: 1, failed: 0, lastTriggeredAt: expect.any(String) });
      await tenant.call('PUT', `${path}/toggle`);
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'The price of tea?' });
      const asked = { profileId: profile.profileId, message: 'The price of tea?', from: contact };
      expect((await tenant.call('POST', '/automation/evaluate', asked)).body).toMatchObject({
        answers: [],
        candidates: [{ id: made.body.id, verdict: 'disabled' }],
      });
    }, 600_000);
  });
}
