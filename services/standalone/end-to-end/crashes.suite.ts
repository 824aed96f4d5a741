import { beforeAll, describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654321';

/** A kill -9 of the gateway. Sends are durable. */
export function crashes(at: () => World): void {
  describe('a kill -9 of the gateway', () => {
    let world: World;
    beforeAll(() => {
      world = at();
    });

    it('kill -9 with 200 durable sends queued: all arrive once each, in order', async () => {
      const tenant = await register(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345601', { messageDelayMs: 5 });
      const texts = Array.from({ length: 200 }, (_, index) => `Number ${index}`);
      for (const text of texts) {
        const answer = await tenant.call('POST', '/messages/text', { profileId, to: contact, text });
        expect(answer.status).toBe(202);
      }
      await world.gateway.kill();
      await world.restart();
      const shown = await world.network.waitForMessages(contact, 200);
      expect(shown.map(({ text }) => text)).toEqual(texts);
    }, 600_000);

    it('kill -9 while messages come in: each is stored and told once, and the next ones are decrypted', async () => {
      const tenant = await register(world);
      const receiver = await startWebhookReceiver('secret of the receiver');
      await tenant.call('POST', '/webhooks', {
        url: receiver.url,
        secret: 'secret of the receiver',
        events: ['message.received'],
      });
      const { profileId, phone } = await linkProfile(world, tenant, '4915112345606');
      const texts = Array.from({ length: 60 }, (_, index) => `Inbound ${index}`);
      const write = async (some: readonly string[]): Promise<void> => {
        for (const text of some) await world.network.sendFromContact(contact, { to: phone, text });
      };
      // Some are told when it is killed, some are on their way, and the others come while it is down.
      const writing = write(texts.slice(0, 30));
      await receiver.waitFor(({ data }) => data['body'] === 'Inbound 10');
      await world.gateway.kill();
      await writing;
      await write(texts.slice(30));
      await world.restart();
      await connected(tenant, profileId);
      await receiver.waitFor(({ data }) => data['body'] === 'Inbound 59');
      const stored = await eventually(async () => {
        const page = await tenant.call<{ items: { content: { text: string } }[] }>(
          'GET',
          `/messages/profile/${profileId}?limit=200`,
        );
        return page.body.items.length >= 60 ? page.body.items.map(({ content }) => content.text) : undefined;
      });
      expect(stored.toSorted()).toEqual(texts.toSorted());
      const toldBy = () =>
        new Map(receiver.deliveries.map(({ headers, data }) => [headers['webhook-id'], data['body']]));
      const told = await eventually(async () => (toldBy().size >= texts.length ? toldBy() : undefined));
      expect([...told.values()].map(String).toSorted()).toEqual(texts.toSorted());
      await receiver.stop();
    }, 600_000);
  });
}
