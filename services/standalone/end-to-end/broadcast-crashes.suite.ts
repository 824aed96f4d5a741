import { describe, expect, it } from '@jest/globals';
import { linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { broadcastsOf } from './broadcasting.ts';
import type { World } from './world.ts';

const secret = 'secret of the receiver';
const people = Array.from({ length: 60 }, (_, number) => ({
  phone: String(4_915_120_000_600 + number),
  name: `Person ${number}`,
}));

/** A kill -9 of the gateway while a broadcast goes out. */
export function broadcastCrashes(at: () => World): void {
  describe('a broadcast', () => {
    it('goes on after each kill -9: everybody gets it once', async () => {
      const world = at();
      const tenant = await register(world);
      const receiver = await startWebhookReceiver(secret);
      const events = ['broadcast.started', 'broadcast.completed'];
      await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events });
      const { profileId } = await linkProfile(world, tenant, '4915112345472');
      const mine = broadcastsOf(world, tenant, profileId);
      for (const { phone, name } of people) await mine.addContact(phone, { name });
      const { id } = await mine.create();
      await mine.tell(id, 'start');
      for (const reached of [5, 25]) {
        await mine.until(id, ({ stats }) => stats.sent >= reached);
        await world.gateway.kill();
        await world.restart();
        expect(await mine.get(id)).toMatchObject({ status: 'running' });
      }
      const { status, stats } = await mine.over(id);
      const { total, sent, failed, skipped, cancelled } = stats;
      expect([status, total, sent, failed, skipped, cancelled]).toEqual(['completed', 60, 60, 0, 0, 0]);
      const decrypted = await Promise.all(people.map(({ phone }) => mine.decrypted(phone)));
      expect(decrypted).toEqual(people.map(({ name }) => [`Hello ${name}!`]));
      expect(await mine.recipients(id, '&status=sent')).toMatchObject({ total: 60 });
      await mine.until(id, ({ stats: { delivered } }) => delivered === 60);
      await receiver.waitFor(({ event }) => event === 'broadcast.completed');
      const told = new Map(
        receiver.deliveries.map(({ headers, event, data }) => [headers['webhook-id'], { event, data }]),
      );
      expect([...told.values()]).toEqual([
        { event: 'broadcast.started', data: { id, total: 60, sent: 0, failed: 0 } },
        { event: 'broadcast.completed', data: { id, total: 60, sent: 60, failed: 0 } },
      ]);
      await receiver.stop();
    }, 600_000);
  });
}
