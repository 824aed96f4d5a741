import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register, type Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654344';
const phone = '4915112345644';
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let world: World;
let tenant: Tenant;
let profileId: string;

interface Queued {
  readonly messageId: string;
}
interface Item {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

const post = (path: string, fields: object, key?: string, by = tenant) =>
  by.call<Queued>('POST', path, { profileId, ...fields }, key === undefined ? {} : { 'idempotency-key': key });
const settled = (messageId: string) =>
  eventually(async () => {
    const { body } = await tenant.call<Item>('GET', `/messages/${messageId}`);
    return ['sent', 'delivered', 'read', 'failed', 'deleted'].includes(body.status) ? body : undefined;
  });

const sends: readonly [string, string, object][] = [
  ['text', '/messages/text', { text: 'Hello' }],
  ['location', '/messages/location', { latitude: 1.5, longitude: 2.5 }],
  ['contact', '/messages/contact', { contacts: [{ name: 'Ada', phone: '4915112345679' }] }],
  ['poll', '/messages/poll', { question: 'When?', options: ['Monday', 'Tuesday'] }],
  ['image', '/messages/image', { base64: picture, caption: 'Look' }],
  ['document', '/messages/document', { base64: picture, filename: 'look.png' }],
];

/** Messages of all kinds. Sends are durable. */
export function durableKinds(at: () => World): void {
  describe('durable sends of every kind', () => {
    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      ({ profileId } = await linkProfile(world, tenant, phone));
    }, 600_000);

    it('go out once each and in order over a kill -9, and the same key is the same message', async () => {
      await world.network.configureNetwork({ acceptConnections: false });
      await world.network.drop(phone);
      const keys = sends.map(() => randomUUID());
      const first = [];
      for (const [index, [, path, fields]] of sends.entries())
        first.push(await post(path, { to: contact, ...fields }, keys[index]));
      expect(first.map(({ status }) => status)).toEqual(sends.map(() => 202));
      await world.gateway.kill();
      await world.network.configureNetwork({ acceptConnections: true });
      await world.restart();
      for (const [index, [, path, fields]] of sends.entries()) {
        const again = await post(path, { to: contact, ...fields }, keys[index]);
        expect(again).toMatchObject({ status: 202, body: { messageId: first[index]?.body.messageId } });
      }
      await connected(tenant, profileId);
      for (const { body } of first) expect(await settled(body.messageId)).toMatchObject({ error: null });
      const shown = await world.network.waitForMessages(contact, sends.length);
      expect(shown.map(({ content }) => content.type)).toEqual(sends.map(([type]) => type));
    }, 600_000);

    it('a reaction and a deletion go out too, and the deletion answers the deleted message', async () => {
      const { body } = await post('/messages/text', { to: contact, text: 'Oops' });
      const { messageId } = body;
      await settled(messageId);
      expect(await post('/messages/reaction', { messageId, emoji: '🎉' })).toMatchObject({ status: 202 });
      expect(await post('/messages/delete-for-everyone', { messageId })).toMatchObject({
        status: 202,
        body: { success: true, status: 'queued', messageId },
      });
      await eventually(async () => ((await settled(messageId)).status === 'deleted' ? true : undefined));
      const types = await eventually(async () => {
        const last = (await world.network.messages(contact)).slice(-3).map(({ content }) => content.type);
        return last.at(-1) === 'revoke' ? last : undefined;
      });
      expect(types).toEqual(['text', 'reaction', 'revoke']);
    }, 600_000);

    it('a message whose media are never there is tried three times, and then failed', async () => {
      const { body } = await post('/messages/image', { to: contact, url: 'http://127.0.0.1:9/none.png' });
      // Between the tries it waits for some seconds.
      const failed = await eventually(async () => {
        world.moveClock(1_000);
        const message = await tenant.call<Item>('GET', `/messages/${body.messageId}`);
        return message.body.status === 'failed' ? message.body : undefined;
      });
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'MEDIA_UNAVAILABLE' } });
    }, 600_000);

    it('another organization sends nothing through the profile and sees none of its messages', async () => {
      const stranger = await register(world);
      const { body } = await post('/messages/text', { to: contact, text: 'Ours' });
      await settled(body.messageId);
      const before = (await world.network.messages(contact)).length;
      const ours = { messageId: body.messageId };
      const tries: readonly [string, object][] = [
        ...sends.map(([, path, fields]): [string, object] => [path, { to: contact, ...fields }]),
        ['/messages/reply', { quotedMessageId: body.messageId, text: 'Mine' }],
        ['/messages/reaction', { ...ours, emoji: '👍' }],
        ['/messages/delete-for-everyone', ours],
        ['/messages/typing', { to: contact }],
        ['/messages/mark-read', { chatId: contact }],
      ];
      for (const [path, fields] of tries)
        expect([path, (await post(path, fields, undefined, stranger)).status]).toEqual([path, 404]);
      expect(await world.network.messages(contact)).toHaveLength(before);
    }, 600_000);
  });
}
