import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, startWebhookReceiver } from '@messaging-gateway/testing';
import { broadcastsOf, type Recipient } from './broadcasting.ts';
import { registerAfterJump } from './clock-jumps.ts';
import type { World } from './world.ts';

const minute = 60_000;
const day = 1440 * minute;
const secret = 'secret of the receiver';
const phoneOf = (number: number): string => String(4_915_120_000_800 + number);
/** Days of limits begin at 00:00 there, +07:00. */
const jakarta = 420 * minute;

/** Broadcasts at their daily limit, over midnight, and what becomes of their contacts and profiles while they run. */
export function broadcastDays(at: () => World): void {
  describe('a day of a broadcast', () => {
    let world: World;
    const leftOfTheDay = (): number => day - ((world.now() + jakarta) % day);
    /** The next 00:00 in Jakarta. */
    const midnight = (): string => new Date(Math.round((world.now() + leftOfTheDay()) / minute) * minute).toISOString();

    beforeAll(() => {
      world = at();
    });

    it('beside direct sends keeps the limit, goes on when it is raised and after midnight; a pause of yours stays', async () => {
      // The day ends when this test lets it.
      const early = 12 * minute;
      world.moveClock((leftOfTheDay() - early + day) % day);
      const tenant = await registerAfterJump(world);
      const { profileId } = await linkProfile(world, tenant, '4915112345473', { dailyMessageLimit: 20 });
      const mine = broadcastsOf(world, tenant, profileId);
      const people = Array.from({ length: 50 }, (_, number) => phoneOf(number));
      for (const phone of people) await mine.addContact(phone);
      const arrived = async (): Promise<number> =>
        (await Promise.all(people.map(mine.decrypted))).reduce((all, texts) => all + texts.length, 0);
      const limit = async (dailyMessageLimit: number): Promise<void> =>
        expect(await tenant.call('PUT', `/profiles/${profileId}`, { dailyMessageLimit })).toMatchObject({
          status: 200,
        });
      const first = midnight();

      const { id } = await mine.create();
      await mine.tell(id, 'start');
      const friend = phoneOf(198);
      const answers = await Promise.all(
        people.map((_, number) =>
          tenant.call('POST', '/messages/text', { profileId, to: friend, text: `Number ${number}` }),
        ),
      );
      const direct = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - direct);
      const atLimit = (sent: number) =>
        mine.until(id, (one) => one.pausedReason === 'daily_limit' && one.stats.sent === sent);
      expect(await atLimit(20 - direct)).toMatchObject({
        status: 'paused',
        resumesAt: first,
        stats: { total: 50, sent: 20 - direct, pending: 30 + direct, failed: 0 },
      });
      expect([await arrived(), (await mine.decrypted(friend)).length]).toEqual([20 - direct, direct]);

      const other = await mine.create({
        recipients: { type: 'contacts', value: [await mine.addContact(phoneOf(197), { tags: [] })] },
      });
      await mine.tell(other.id, 'start');
      await mine.until(other.id, ({ pausedReason }) => pausedReason === 'daily_limit');
      expect(await mine.tell(other.id, 'pause')).toMatchObject({
        status: 'paused',
        pausedReason: 'user',
        resumesAt: null,
      });

      await limit(25);
      expect(await atLimit(25 - direct)).toMatchObject({ status: 'paused', resumesAt: first });
      expect(await arrived()).toBe(25 - direct);

      await limit(20);
      world.moveClock(leftOfTheDay() + 1000);
      const next = await atLimit(45 - direct);
      expect(next).toMatchObject({ status: 'paused', resumesAt: new Date(Date.parse(first) + day).toISOString() });
      await limit(1000);
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: { sent: 50, failed: 0, skipped: 0 } });
      const each = (await Promise.all(people.map(mine.decrypted))).map((texts) => texts.length);
      expect(each).toEqual(people.map(() => 1));

      expect(await mine.get(other.id)).toMatchObject({ status: 'paused', pausedReason: 'user', stats: { sent: 0 } });
      expect(await mine.tell(other.id, 'resume')).toMatchObject({ status: 'running' });
      expect(await mine.over(other.id)).toMatchObject({ status: 'completed', stats: { sent: 1 } });
    }, 600_000);

    it('leaves out who is deleted, blocked or wants no more while it runs, and calls people as they are called then', async () => {
      const tenant = await registerAfterJump(world);
      const phone = '4915112345474';
      const { profileId } = await linkProfile(world, tenant, phone);
      const mine = broadcastsOf(world, tenant, profileId);
      for (const number of [100, 101, 102, 103, 104, 105])
        await mine.addContact(phoneOf(number), { name: `Person ${number}` });
      const delay = 5 * minute;
      const { id } = await mine.create({ settings: { delayMin: delay, delayMax: delay } });
      await mine.tell(id, 'start');
      await mine.until(id, ({ stats }) => stats.sent === 1);
      // In the order in which they are sent to.
      const people = (await mine.recipients(id)).items;
      const [first, renamed, deleted, blocked, stopped, last] = people as [
        Recipient,
        Recipient,
        Recipient,
        Recipient,
        Recipient,
        Recipient,
      ];
      expect(await mine.decrypted(first.phone)).toEqual([`Hello ${first.name}!`]);
      for (const [whom, change] of [
        [renamed, { name: 'Grace' }],
        [blocked, { blocked: true }],
        [first, { name: 'Late' }],
      ] as const)
        expect(await tenant.call('PUT', `/contacts/${whom.contactId}`, change)).toMatchObject({ status: 200 });
      expect(await tenant.call('DELETE', `/contacts/${deleted.contactId}`)).toMatchObject({ status: 204 });
      await world.network.sendFromContact(stopped.phone, { to: phone, text: 'Stop!' });
      await eventually(async () => {
        const { body } = await tenant.call<{ total: number }>('GET', '/suppressions');
        return body.total === 1 ? true : undefined;
      });
      await eventually(async () => {
        const { items } = await mine.recipients(id);
        return items.some(({ name }) => name === 'Late') ? true : undefined;
      });
      await mine.until(id, ({ stats }) => stats.skipped === 2);
      for (const sent of [2, 3]) {
        world.moveClock(delay);
        await mine.until(id, ({ stats }) => stats.sent === sent);
      }
      const counts = { total: 6, sent: 3, failed: 0, skipped: 3, cancelled: 0, pending: 0 };
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: counts });
      expect(await Promise.all(people.map((one) => mine.decrypted(one.phone)))).toEqual([
        [`Hello ${first.name}!`],
        ['Hello Grace!'],
        [],
        [],
        [],
        [`Hello ${last.name}!`],
      ]);
      const { items } = await mine.recipients(id, '&status=cancelled');
      expect(items.map(({ phone: whose, name, error }) => [whose, name, error?.code])).toEqual([
        [null, null, 'CONTACT_DELETED'],
        [blocked.phone, blocked.name, 'BLOCKED'],
        [stopped.phone, stopped.name, 'SUPPRESSED'],
      ]);
    }, 600_000);

    it('ends with its profile, whatever it waits for, and that is told', async () => {
      const tenant = await registerAfterJump(world);
      const receiver = await startWebhookReceiver(secret);
      await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['broadcast.failed'] });
      const { profileId } = await linkProfile(world, tenant, '4915112345475', { dailyMessageLimit: 2 });
      const mine = broadcastsOf(world, tenant, profileId);
      for (const number of [110, 111, 112]) await mine.addContact(phoneOf(number));
      const running = await mine.create({ settings: { delayMin: 60 * minute, delayMax: 60 * minute } });
      const paused = await mine.create();
      const limited = await mine.create();
      const scheduled = await mine.create();
      const draft = await mine.create();
      await mine.tell(running.id, 'start');
      await mine.until(running.id, ({ stats }) => stats.sent === 1);
      await mine.tell(limited.id, 'start');
      await mine.until(limited.id, ({ pausedReason }) => pausedReason === 'daily_limit');
      await mine.tell(paused.id, 'start');
      await mine.tell(paused.id, 'pause');
      const scheduledAt = new Date(world.now() + 60 * minute).toISOString();
      expect(await tenant.call('POST', `/broadcast/${scheduled.id}/schedule`, { scheduledAt })).toMatchObject({
        status: 200,
      });

      expect(await tenant.call('DELETE', `/profiles/${profileId}`)).toMatchObject({ status: 204 });
      const ends = [
        [running.id, { total: 3, sent: 1, failed: 0 }],
        [limited.id, { total: 3, sent: 1, failed: 0 }],
        [paused.id, { total: 3, sent: 0, failed: 0 }],
        [scheduled.id, { total: 0, sent: 0, failed: 0 }],
      ] as const;
      for (const [id, counts] of ends) {
        expect(await mine.until(id, ({ status }) => status === 'failed')).toMatchObject({
          failedReason: 'PROFILE_DELETED',
          stats: { ...counts, pending: 0, cancelled: counts.total - counts.sent },
        });
        const told = await receiver.waitFor(({ data }) => data['id'] === id);
        expect(told).toMatchObject({ event: 'broadcast.failed', data: { id, ...counts, reason: 'PROFILE_DELETED' } });
      }
      expect(receiver.deliveries).toHaveLength(ends.length);
      expect(await mine.get(draft.id)).toMatchObject({ status: 'draft' });
      await receiver.stop();
    }, 600_000);
  });
}
