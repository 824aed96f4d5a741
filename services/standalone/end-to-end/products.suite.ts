import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  linkProfile,
  register,
  startChatwoot,
  startTypebot,
  type FakeChatwoot,
  type FakeTypebot,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

/** Typebot and Chatwoot beside a real gateway: what contacts decrypt, and what agents see. */
export function products(at: () => World): void {
  describe('other products', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let bot: FakeTypebot;
    let chatwoot: FakeChatwoot;

    beforeAll(async () => {
      world = at();
      [bot, chatwoot] = [await startTypebot(), await startChatwoot()];
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345691');
    }, 600_000);
    afterAll(async () => {
      await bot.stop();
      await chatwoot.stop();
    });

    const receives = async (contact: string, count: number): Promise<string[]> =>
      (await world.network.waitForMessages(contact, count)).map(({ text }) => text ?? '');
    const configure = (change: object) =>
      tenant.call<{ chatwoot: { webhookUrl?: string } }>('PUT', '/integrations/config', change);

    it('Typebot speaks with a contact', async () => {
      const contact = '4915187654391';
      bot.script([
        { say: 'Hello **{{pushName}}**' },
        { choose: ['Sales', 'Support'], variable: 'what' },
        { say: 'To {{what}}' },
      ]);
      const typebot = { apiUrl: bot.url, botId: bot.botId, enabled: true };
      expect((await configure({ typebot })).status).toBe(200);
      expect((await tenant.call('POST', '/integrations/test', { type: 'typebot' })).body).toMatchObject({
        success: true,
      });
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Hi' });
      expect((await receives(contact, 2))[1]).toBe('1. Sales\n2. Support');
      await world.network.sendFromContact(contact, { to: profile.phone, text: '2' });
      expect((await receives(contact, 3))[2]).toBe('To Support');
      await configure({ typebot: { enabled: false } });
    }, 600_000);

    it('an agent of Chatwoot answers, once, over repeats', async () => {
      const contact = '4915187654392';
      const { body } = await configure({
        chatwoot: {
          url: chatwoot.url,
          apiToken: chatwoot.apiToken,
          accountId: 1,
          inboxId: 2,
          enabled: true,
          webhookSecret: 'a secret',
        },
      });
      const url = new URL(body.chatwoot.webhookUrl ?? '');
      expect((await tenant.call('POST', '/integrations/test', { type: 'chatwoot' })).body).toMatchObject({
        success: true,
      });
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Is anybody there?' });
      const seen = await eventually(async () =>
        chatwoot.messages.find(({ content }) => content === 'Is anybody there?'),
      );
      expect(chatwoot.contacts).toContainEqual(expect.objectContaining({ phone_number: `+${contact}` }));
      const event = JSON.stringify(chatwoot.agentWrites(seen.conversation, 'Yes, an agent'));
      const tell = async (given: { token?: string; secret?: string } = {}): Promise<number> => {
        const timestamp = String(Math.floor(Date.now() / 1000));
        const digest = createHmac('sha256', given.secret ?? 'a secret')
          .update(`${timestamp}.${event}`)
          .digest('hex');
        const target = new URL(url);
        if (given.token !== undefined) target.searchParams.set('token', given.token);
        const headers = {
          'content-type': 'application/json',
          'x-chatwoot-timestamp': timestamp,
          'x-chatwoot-signature': `sha256=${digest}`,
        };
        return (await fetch(target, { method: 'POST', headers, body: event })).status;
      };
      expect([await tell({ token: 'wrong' }), await tell({ secret: 'wrong' })]).toEqual([401, 401]);
      expect([await tell(), await tell()]).toEqual([200, 200]);
      await receives(contact, 1);
      expect(await tell()).toBe(200);
      await tenant.call('POST', '/messages/text', { profileId: profile.profileId, to: contact, text: 'By the API' });
      expect(await receives(contact, 2)).toEqual(['Yes, an agent', 'By the API']);
      await eventually(async () => chatwoot.messages.find(({ content }) => content === 'By the API'));
      expect(chatwoot.messages.map(({ content }) => content)).toEqual(['Is anybody there?', 'By the API']);
      const idle = await eventually(async () => {
        const { body: status } = await tenant.call<{ chatwoot: { backlog: number } }>('GET', '/integrations/status');
        return status.chatwoot.backlog === 0 ? status : undefined;
      });
      expect(idle).toMatchObject({ chatwoot: { lastError: null } });
      await configure({ chatwoot: { enabled: false } });
    }, 600_000);
  });
}
