import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { LinkedProfile, ReceivedDelivery, Tenant, WebhookReceiver } from '@messaging-gateway/testing';
import { insist } from './insisting.ts';
import type { World } from './world.ts';

const contact = '4915187654321';

/** An event as a webhook gets it and `GET /events` shows it. */
interface Told {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A message out, one in, and a restart. */
export function firstMessage(at: () => World): void {
  describe('the first message', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      receiver = await startWebhookReceiver('a secret of the receiver');
      await tenant.call('POST', '/webhooks', {
        url: receiver.url,
        secret: 'a secret of the receiver',
        events: ['*'],
        payloadVersion: 2,
      });
      profile = await linkProfile(world, tenant, '4915112345678');
    }, 600_000);

    afterAll(() => receiver.stop());

    it('tells a signed webhook that the profile is ready', async () => {
      const ready = await receiver.waitFor(({ event }) => event === 'connection.ready');
      expect([ready.signatureValid, ready.profileId, ready.data['phoneNumber']]).toEqual([
        true,
        profile.profileId,
        profile.phone,
      ]);
    }, 600_000);

    it('is decrypted by the contact, delivered and read', async () => {
      await world.network.configureContact(contact, { receipts: 'read' });
      const sent = await tenant.call<{ success: boolean; data: { messageId: string; status: string } }>(
        'POST',
        '/messages/text',
        {
          profileId: profile.profileId,
          to: `+${contact}`,
          text: 'Good morning ☀',
        },
      );
      expect([sent.status, sent.body.success, sent.body.data.status]).toEqual([200, true, 'sent']);
      const shown = await world.network.waitForMessages(contact, 1);
      expect(shown.map(({ text }) => text)).toEqual(['Good morning ☀']);
      const record = await eventually(async () => {
        const answer = await tenant.call<{ status: string; direction: string; to: string }>(
          'GET',
          `/messages/${sent.body.data.messageId}`,
        );
        return answer.body.status === 'read' ? answer.body : undefined;
      });
      expect(record).toMatchObject({
        direction: 'outgoing',
        to: `${contact}@c.us`,
        type: 'text',
        content: { text: 'Good morning ☀' },
      });
      const told = await receiver.waitFor(({ event }) => event === 'message.sent');
      expect(told.data['messageId']).toBe(sent.body.data.messageId);
    }, 600_000);

    it('is answered: the answer is stored, counted and told', async () => {
      await world.network.sendFromContact(contact, { to: profile.phone, text: 'Good evening' });
      const told = await receiver.waitFor(({ event }) => event === 'message.received');
      expect(told).toMatchObject({
        signatureValid: true,
        profileId: profile.profileId,
        data: { from: `${contact}@c.us`, body: 'Good evening', firstEver: true },
      });
      const record = await tenant.call('GET', `/messages/${String(told.data['id'])}`);
      expect(record.body).toMatchObject({
        direction: 'incoming',
        status: 'received',
        content: { text: 'Good evening' },
      });
      const conversations = await tenant.call<{ items: object[] }>(
        'GET',
        `/conversations?profileId=${profile.profileId}`,
      );
      expect(conversations.body.items).toMatchObject([{ jid: `${contact}@c.us`, unreadCount: 1 }]);
    }, 600_000);

    it('of somebody who never wrote before keeps its place among the next ones, told and listed', async () => {
      const texts = ['0', '1', '2', '3', '4'];
      const strangers = Array.from({ length: 8 }, (_, n) => `49151700000${n}0`);
      await Promise.all(
        strangers.map(async (stranger) => {
          for (const text of texts) await world.network.sendFromContact(stranger, { to: profile.phone, text });
        }),
      );
      const lastOf = (stranger: string) => (delivery: { event: string; data: Record<string, unknown> }) =>
        delivery.event === 'message.received' &&
        delivery.data['from'] === `${stranger}@c.us` &&
        delivery.data['body'] === texts.at(-1);
      for (const stranger of strangers) await receiver.waitFor(lastOf(stranger));
      const logged: Told[] = [];
      for (let after: string | undefined; ;) {
        const query = `limit=200${after === undefined ? '' : `&after=${after}`}`;
        const { body } = await tenant.call<{ items: Told[]; nextCursor: string }>('GET', `/events?${query}`);
        if (body.items.length === 0) break;
        logged.push(...body.items);
        after = body.nextCursor;
      }
      const { body: chats } = await tenant.call<{ items: { id: string; jid: string }[] }>(
        'GET',
        `/conversations?profileId=${profile.profileId}&limit=50`,
      );
      for (const stranger of strangers) {
        const jid = `${stranger}@c.us`;
        const bodies = (deliveries: readonly Told[]): unknown[] =>
          deliveries
            .filter(({ event, data }) => event === 'message.received' && data['from'] === jid)
            .map(({ data }) => data['body']);
        const { id = '' } = chats.items.find((chat) => chat.jid === jid) ?? {};
        const listed = await tenant.call<{ items: { content: { text: string } }[] }>(
          'GET',
          `/conversations/${id}/messages`,
        );
        expect([
          bodies(receiver.deliveries),
          bodies(logged),
          listed.body.items.map(({ content }) => content.text).toReversed(),
        ]).toEqual([texts, texts, texts]);
      }
    }, 600_000);

    it('is told with what it says when it is a voice note, with a link that needs no credential', async () => {
      const bytes = Buffer.concat([Buffer.from('4f67675300020000000000000000', 'hex'), Buffer.alloc(64)]);
      const media = { base64: bytes.toString('base64'), mimetype: 'audio/ogg' };
      const links = await startWebhookReceiver('');
      const events = ['message.received'];
      await tenant.call('POST', '/webhooks', { url: links.url, events, signedMediaUrls: true });
      const content = { type: 'audio' as const, media, ptt: true, forwarded: true };
      await world.network.sendFromContact(contact, { to: profile.phone, content });
      const isNote = ({ data }: ReceivedDelivery): boolean => data['type'] === 'audio';
      const { data } = await links.waitFor(isNote);
      expect(data['content']).toMatchObject({
        type: 'audio',
        ptt: true,
        forwarded: true,
        media: { size: bytes.length },
      });
      const { url } = data['media'] as { url: string };
      expect(url.startsWith(`${world.gateway.host}/api/v1/media/links/`)).toBe(true);
      const linked = await fetch(url);
      expect(Buffer.from(await linked.arrayBuffer()).equals(bytes)).toBe(true);
      expect([linked.status, linked.headers.get('content-type')]).toEqual([200, expect.stringContaining('ogg')]);
      const told = await receiver.waitFor(isNote);
      const plain = (told.data['media'] as { url: string }).url;
      expect(plain.startsWith(`${world.gateway.host}/api/v1/media/`)).toBe(true);
      expect((await fetch(plain)).status).toBe(401);
      expect((await fetch(plain, { headers: { authorization: `Bearer ${tenant.token}` } })).status).toBe(200);
      await links.stop();
    }, 600_000);

    it('is read as an event told it, by whoever asks for what comes after that event', async () => {
      const other = '4915187654398';
      await world.network.configureContact(other, { receipts: 'read' });
      for (const [index, text] of ['one', 'two', 'three', 'four', 'five'].entries()) {
        const { body } = await tenant.call<{ data: { messageId: string } }>('POST', '/messages/text', {
          profileId: profile.profileId,
          to: other,
          text,
        });
        const { messageId } = body.data;
        const read = await receiver.waitFor(
          ({ event, data }) =>
            event === 'message.status' && data['messageId'] === messageId && data['status'] === 'read',
        );
        // Without a second look: the read waits for the event.
        const path = index % 2 === 0 ? `/messages/${messageId}` : `/messages/profile/${profile.profileId}`;
        const answer = await tenant.call<{ status?: string; items?: { id: string; status: string }[] }>(
          'GET',
          `${path}?after=${read.id}`,
        );
        expect(answer.body.status ?? answer.body.items?.find(({ id }) => id === messageId)?.status).toBe('read');
      }
    }, 600_000);

    it('to a number that is not on the network leaves no conversation in the list', async () => {
      const nobody = '4915187654397';
      await world.network.configureContact(nobody, { exists: false });
      const { body: failed } = await tenant.call<{ error: { code: string; details: { messageId?: string } } }>(
        'POST',
        '/messages/text',
        { profileId: profile.profileId, to: nobody, text: 'Anybody?' },
      );
      expect(failed.error.code).toBe('RECIPIENT_UNKNOWN');
      const told = await receiver.waitFor(
        ({ event, data }) => event === 'message.failed' && data['to'] === `${nobody}@c.us`,
      );
      const { conversationId, messageId } = told.data as Record<string, string>;
      const list = await tenant.call<{ items: { id: string }[]; total: number }>(
        'GET',
        `/conversations?limit=100&after=${told.id}`,
      );
      const ids = list.body.items.map(({ id }) => id);
      expect([ids.includes(String(conversationId)), ids.length]).toEqual([false, list.body.total]);
      const { body: kept } = await tenant.call<{ items: { id: string; status: string }[] }>(
        'GET',
        `/conversations/${conversationId}/messages`,
      );
      expect(kept.items.map(({ id, status }) => [id, status])).toEqual([[messageId, 'failed']]);
      expect((await tenant.call('GET', `/messages/${messageId}`)).body).toMatchObject({ status: 'failed' });
    }, 600_000);

    it('is seen by nobody else', async () => {
      const stranger = await register(world);
      expect((await stranger.call('GET', `/profiles/${profile.profileId}`)).status).toBe(404);
      expect((await stranger.call('GET', `/messages/profile/${profile.profileId}`)).status).toBe(404);
      expect(
        (await stranger.call('POST', '/messages/text', { profileId: profile.profileId, to: contact, text: 'x' }))
          .status,
      ).toBe(404);
      expect((await stranger.call<{ items: object[] }>('GET', '/conversations')).body.items).toEqual([]);
    }, 600_000);

    it('goes on after a restart, without a new scan', async () => {
      await world.gateway.stop();
      await world.restart();
      await insist(tenant, 200, { profileId: profile.profileId, to: contact, text: 'Again' });
      const shown = await world.network.waitForMessages(contact, 2);
      expect(shown.map(({ text }) => text)).toEqual(['Good morning ☀', 'Again']);
    }, 600_000);
  });
}
