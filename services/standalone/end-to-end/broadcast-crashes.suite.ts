import { describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { broadcastsOf } from './broadcasting.ts';
import { patient } from './insisting.ts';
import { postgresPid, type World } from './world.ts';

const secret = 'secret of the receiver';
const people = Array.from({ length: 200 }, (_, number) => ({
  phone: String(4_915_120_001_000 + number),
  name: `Person ${number}`,
}));

const readers = people.slice(0, 20);

/** A kill -9 of the gateway, and of PostgreSQL, while a broadcast goes out. */
export function broadcastCrashes(at: () => World): void {
  describe('a broadcast', () => {
    it('goes on after each kill -9: everybody gets it once who has not opted out before', async () => {
      const world = at();
      const tenant = patient(await register(world));
      const receiver = await startWebhookReceiver(secret);
      const events = ['broadcast.started', 'broadcast.completed'];
      await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events });
      const { phone, profileId } = await linkProfile(world, tenant, '4915112345472');
      const mine = broadcastsOf(world, tenant, profileId);
      for (const reader of readers) await world.network.configureContact(reader.phone, { receipts: 'read' });
      await mine.addContacts(people);
      const { id } = await mine.create({ settings: { delayMin: 5, delayMax: 15 } });
      await mine.tell(id, 'start');
      const last = (await mine.recipients(id, '&status=pending')).items.slice(-3);
      const stopped = new Set(last.map((one) => one.phone));
      for (const person of stopped) await world.network.sendFromContact(person, { to: phone, text: 'Stop' });
      await eventually(async () => {
        const { body } = await tenant.call<{ total: number }>('GET', '/suppressions');
        return body.total === stopped.size ? true : undefined;
      });
      const crash = async (): Promise<void> => {
        await world.gateway.kill();
        await world.restart();
      };
      const kills = [
        [5, crash],
        [25, async () => void process.kill(postgresPid(world), 'SIGKILL')],
        [60, crash],
      ] as const;
      for (const [reached, kill] of kills) {
        expect(await mine.until(id, ({ stats }) => stats.sent >= reached)).toMatchObject({ status: 'running' });
        await kill();
      }
      const sent = people.length - stopped.size;
      const counts = { total: people.length, sent, failed: 0, skipped: stopped.size, cancelled: 0 };
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: counts });
      expect(await Promise.all(people.map((one) => mine.decrypted(one.phone)))).toEqual(
        people.map((one) => (stopped.has(one.phone) ? [] : [`Hello ${one.name}!`])),
      );
      expect(await mine.recipients(id, '&status=sent')).toMatchObject({ total: sent });
      const read = readers.filter((one) => !stopped.has(one.phone)).length;
      await mine.until(id, ({ stats }) => stats.delivered === sent && stats.read === read);
      await receiver.waitFor(({ event }) => event === 'broadcast.completed');
      const told = new Map(
        receiver.deliveries.map(({ headers, event, data }) => [headers['webhook-id'], { event, data }]),
      );
      expect([...told.values()]).toEqual([
        { event: 'broadcast.started', data: { id, total: people.length, sent: 0, failed: 0 } },
        { event: 'broadcast.completed', data: { id, total: people.length, sent, failed: 0 } },
      ]);
      await receiver.stop();
    }, 900_000);
  });
}
