import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connected,
  linkProfile,
  register,
  startWebhookReceiver,
  type LinkedProfile,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654371';
const other = '4915187654372';

/** Presence and typing of the other side, told of the chats that are subscribed. */
export function presence(at: () => World): void {
  describe('presence of the other side', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;
    const chats = new Map<string, string>();

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('');
      await tenant.call('POST', '/webhooks', { url: receiver.url, events: ['presence.*', 'message.received'] });
      profile = await linkProfile(world, tenant, '4915112345671');
      for (const person of [contact, other]) {
        await world.network.sendFromContact(person, { to: profile.phone, text: 'Hello' });
        const isFirst = ({ data }: { data: Record<string, unknown> }): boolean => data['from'] === `${person}@c.us`;
        chats.set(person, String((await receiver.waitFor(isFirst)).data['conversationId']));
      }
    }, 600_000);
    afterAll(() => receiver.stop());

    const path = (person: string): string => `/conversations/${chats.get(person)}/presence/subscribe`;
    const subscribe = (person: string, body?: object) => tenant.call<{ expiresAt: string }>('POST', path(person), body);
    const types = (person: string, state: 'composing' | 'recording' | 'paused', to = profile.phone) =>
      world.network.showTyping(person, { to, state });
    const seen = (deliveries: readonly { event: string; data: Record<string, unknown> }[]): unknown[] =>
      deliveries.filter(({ event }) => event === 'presence.update').map(({ data }) => data['presence']);
    const toldOf = (conversationId: string | undefined, word: string) =>
      receiver.waitFor(
        ({ event, data }) =>
          event === 'presence.update' && data['conversationId'] === conversationId && data['presence'] === word,
      );

    it('is told of what is subscribed, and of nothing else', async () => {
      for (const person of [contact, other]) await types(person, 'composing');
      const answer = await subscribe(contact);
      expect(answer).toMatchObject({
        status: 200,
        body: { conversationId: chats.get(contact), jid: `${contact}@c.us` },
      });
      const hours = (Date.parse(answer.body.expiresAt) - Date.now()) / 3_600_000;
      expect(Math.round(hours)).toBe(24);
      const there = await toldOf(chats.get(contact), 'available');
      expect(there).toMatchObject({ profileId: profile.profileId, data: { from: `${contact}@c.us` } });
      for (const person of [other, contact]) await types(person, 'recording');
      await toldOf(chats.get(contact), 'recording');
      await world.network.showPresence(contact, { state: 'unavailable', lastSeen: 1_767_225_600 });
      const gone = await toldOf(chats.get(contact), 'unavailable');
      expect(gone.data['lastSeen']).toBe('2026-01-01T00:00:00.000Z');
      expect(seen(receiver.deliveries)).toEqual(['available', 'recording', 'unavailable']);
      const { body } = await tenant.call<{ items: typeof receiver.deliveries }>('GET', '/events?limit=200');
      expect(seen(body.items)).toEqual(['available', 'recording', 'unavailable']);
    }, 600_000);

    it('is told of a group with whoever writes there', async () => {
      const { id } = await world.network.createGroup({
        owner: contact,
        subject: 'Choir',
        participants: [profile.phone, other],
      });
      await world.network.sendFromContact(other, { to: id, text: 'Hello all' });
      const { data } = await receiver.waitFor((one) => one.event === 'message.received' && one.data['from'] === id);
      chats.set(id, String(data['conversationId']));
      expect((await subscribe(id, { expiresInMinutes: 5 })).status).toBe(200);
      await types(other, 'composing', id);
      const told = await toldOf(chats.get(id), 'composing');
      expect(told.data).toMatchObject({ from: id, author: `${other}@c.us` });
      expect((await tenant.call('DELETE', path(id))).status).toBe(204);
    }, 600_000);

    it('is refused to others, and for longer than a day', async () => {
      const stranger = await register(world);
      for (const method of ['POST', 'DELETE'] as const)
        expect((await stranger.call(method, path(contact))).status).toBe(404);
      const long = await subscribe(contact, { expiresInMinutes: 1_441 });
      expect(long).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.expiresInMinutes' }] } } });
      const elsewhere = await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Elsewhere' });
      const { body } = await tenant.call<{ key: string }>('POST', '/api-keys', {
        name: 'reader',
        permissions: ['message:read'],
        profileIds: [elsewhere.body.id],
      });
      const headers = { 'x-api-key': body.key };
      const limited = await fetch(`${world.gateway.host}/api/v1${path(contact)}`, { method: 'POST', headers });
      expect(limited.status).toBe(403);
    }, 600_000);

    it('goes on after a kill -9, and ends when nobody wants it any more', async () => {
      await world.gateway.kill();
      const before = new Set(receiver.deliveries.map(({ id }) => id));
      const isLater = ({ id, event }: { id: string; event: string }): boolean =>
        event === 'presence.update' && !before.has(id);
      // Whoever takes the profile up is told by the network what is so by now.
      await world.network.showPresence(contact, { state: 'available' });
      await world.restart();
      await receiver.waitFor((one) => isLater(one) && one.data['presence'] === 'available');
      await connected(tenant, profile.profileId);
      expect((await tenant.call('DELETE', path(contact))).status).toBe(204);
      expect((await subscribe(other)).status).toBe(200);
      await toldOf(chats.get(other), 'available');
      for (const person of [contact, other]) await types(person, 'paused');
      await toldOf(chats.get(other), 'paused');
      expect(receiver.deliveries.filter(isLater).map(({ data }) => [data['from'], data['presence']])).toEqual([
        [`${contact}@c.us`, 'available'],
        [`${other}@c.us`, 'available'],
        [`${other}@c.us`, 'paused'],
      ]);
      const { devices } = await world.network.phone(profile.phone);
      expect(devices[0]?.presence).toBe('available');
    }, 600_000);
  });
}
