import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  linkProfile,
  register,
  startWebhookReceiver,
  type LinkedProfile,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const [contact, moving, moved] = ['4915187654371', '4915187654372', '4915187654373'];

interface Chat {
  readonly id: string;
  readonly unreadCount: number;
  readonly archived: boolean;
  readonly contactId: string;
}

/** Changes that the network announces of chats and people: read on the phone, archived on the phone, another number. */
export function phoneState(at: () => World): void {
  describe('a chat', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;
    let own: { lid: string };

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('');
      await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['*'], payloadVersion: 2 });
      profile = await linkProfile(world, tenant, '4915112345671');
      own = await world.network.phone(profile.phone);
    }, 600_000);
    afterAll(() => receiver.stop());

    /** A contact writes. @returns the event and the network's id of the message */
    const receive = async (from: string, text: string, envelope?: Record<string, string>) => {
      const { id } = await world.network.sendFromContact(from, {
        to: profile.phone,
        text,
        ...(envelope && { envelope }),
      });
      const isIt = ({ event, data }: { event: string; data: Record<string, unknown> }) =>
        event === 'message.received' && data['networkMessageId'] === id;
      return { id, data: (await receiver.waitFor(isIt)).data };
    };
    const chat = async (id: unknown, after: string): Promise<Chat> =>
      (await tenant.call<Chat>('GET', `/conversations/${String(id)}?after=${after}`)).body;
    const isRead = (id: unknown) => (one: { event: string; data: Record<string, unknown> }) =>
      one.event === 'conversation.read' && one.data['conversationId'] === id;
    /** The next `conversation.read` of a chat after something. */
    const readAfter = async (id: unknown, work: () => Promise<unknown>) => {
      const before = new Set(receiver.deliveries.filter(isRead(id)).map((one) => one.id));
      await work();
      return receiver.waitFor((one) => isRead(id)(one) && !before.has(one.id));
    };

    it.each(['read', 'read-self'])(
      'that the owner reads on the phone is read (%s)',
      async (type) => {
        const { id, data } = await receive(contact, `Hello, ${type}`);
        const theirs = await world.network.phone(contact);
        const attrs = { id, from: `${own.lid}@lid`, recipient: `${theirs.lid}@lid`, type, t: '1790000000' };
        const told = await readAfter(data['conversationId'], () =>
          world.network.deliverStanza(profile.phone, { node: { tag: 'receipt', attrs } }),
        );
        expect(told.profileId).toBe(profile.profileId);
        expect(await chat(data['conversationId'], told.id)).toMatchObject({ unreadCount: 0 });
      },
      600_000,
    );

    it('that the owner answers on the phone is read', async () => {
      const { data } = await receive(contact, 'Are you there?');
      const told = await readAfter(data['conversationId'], () =>
        world.network.sendFromPhone(profile.phone, { to: contact, text: 'Yes' }),
      );
      expect(await chat(data['conversationId'], told.id)).toMatchObject({ unreadCount: 0 });
    }, 600_000);

    it('that is answered through the API is read', async () => {
      const { data } = await receive(contact, 'And now?');
      const sent = await tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', {
        profileId: profile.profileId,
        to: contact,
        text: 'Now too',
      });
      const { messageId } = sent.body.data;
      const told = await receiver.waitFor((one) => one.event === 'message.sent' && one.data['messageId'] === messageId);
      expect(await chat(data['conversationId'], told.id)).toMatchObject({ unreadCount: 0 });
    }, 600_000);

    it('stays that of its contact, who keeps everything under another number', async () => {
      const first = await receive(moving, 'Hello');
      const found = await tenant.call<{ items: { id: string }[] }>('GET', `/contacts?search=${moving}`);
      const id = found.body.items[0]?.id ?? '';
      await tenant.call('PUT', `/contacts/${id}`, { name: 'Ada Lovelace', tags: ['vip'], blocked: true });
      const second = await receive(moving, 'From my new number', { sender_pn: `${moved}@s.whatsapp.net` });
      expect(second.data).toMatchObject({ from: `${moved}@c.us`, conversationId: first.data['conversationId'] });
      expect(second.data).not.toHaveProperty('firstEver');
      const told = await receiver.waitFor(
        ({ event, data }) => event === 'contact.updated' && data['change'] === 'number',
      );
      expect(told.data).toMatchObject({ id, phone: moved, previousPhone: moving, name: 'Ada Lovelace', tags: ['vip'] });
      expect((await tenant.call('GET', `/contacts/${id}`)).body).toMatchObject({
        phone: moved,
        previousPhone: moving,
        name: 'Ada Lovelace',
        tags: ['vip'],
        blocked: true,
      });
      expect((await tenant.call('GET', `/contacts?search=${moving}`)).body).toMatchObject({ items: [] });
      expect(await chat(first.data['conversationId'], told.id)).toMatchObject({ contactId: id });
    }, 600_000);
  });
}
