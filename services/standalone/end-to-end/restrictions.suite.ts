import { afterAll, describe, expect, it } from '@jest/globals';
import {
  eventually,
  linkProfile,
  register,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
} from '@messaging-gateway/testing';
import { broadcastsOf } from './broadcasting.ts';
import { patient } from './insisting.ts';
import type { World } from './world.ts';

const secret = 'secret of the receiver';
const phoneOf = (number: number): string => String(4_915_120_002_000 + number);

interface Restriction {
  readonly type: string;
  readonly until: string;
}

/** An account that the network restricts while a broadcast is sent, also over a kill -9 and while the gateway is down. */
export function restrictions(at: () => World): void {
  describe('a restricted account', () => {
    let receiver: WebhookReceiver | undefined;
    afterAll(() => receiver?.stop());
    const restrictionOf = async (tenant: Tenant, profileId: string): Promise<Restriction | null> =>
      (await tenant.call<{ restriction: Restriction | null }>('GET', `/profiles/${profileId}/health`)).body.restriction;
    const text = (tenant: Tenant, profileId: string, to: string, words: string) =>
      tenant.call<{ error?: { code: string; details: object } }>('POST', '/messages/text', {
        profileId,
        to,
        text: words,
      });
    const stanzasTo = async (world: World, phones: readonly string[]): Promise<number> => {
      const { contacts } = await world.network.statistics();
      return phones.reduce((sum, phone) => sum + (contacts[phone]?.stanzas ?? 0), 0);
    };
    const inSeconds = (seconds: number): string =>
      new Date((Math.floor(Date.now() / 1000) + seconds) * 1000).toISOString();

    it('sends nothing more to strangers after the first refusal, answers others, and sends the broadcast once it is lifted', async () => {
      const world = at();
      const tenant = patient(await register(world));
      receiver = await startWebhookReceiver(secret);
      await tenant.call('POST', '/webhooks', { url: receiver.url, secret, events: ['profile.health'] });
      const { phone, profileId } = await linkProfile(world, tenant, '4915112345478');
      const mine = broadcastsOf(world, tenant, profileId);
      const people = [0, 1, 2, 3, 4].map(phoneOf);
      for (const person of people) {
        await mine.addContact(person);
        await world.network.configureContact(person, { refuse: 463 });
      }
      const friend = phoneOf(90);
      await world.network.sendFromContact(friend, { to: phone, text: 'Hello' });

      const { id } = await mine.create();
      await mine.tell(id, 'start');
      await mine.until(id, ({ pausedReason }) => pausedReason === 'restricted');
      const restriction = await restrictionOf(tenant, profileId);
      expect(await mine.get(id)).toMatchObject({
        status: 'running',
        resumesAt: restriction?.until,
        stats: { total: 5, sent: 0, failed: 0, pending: 5 },
      });
      expect(Date.parse(restriction?.until ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
      const details = { type: restriction?.type, until: restriction?.until };
      expect(await text(tenant, profileId, phoneOf(91), 'To a stranger')).toMatchObject({
        status: 409,
        body: { error: { code: 'PROFILE_RESTRICTED', details } },
      });
      expect(await text(tenant, profileId, friend, 'To a friend')).toMatchObject({ status: 200 });
      expect(await stanzasTo(world, [...people, phoneOf(91)])).toBe(1);
      expect(await tenant.call('GET', `/profiles/${profileId}`)).toMatchObject({ body: { restriction } });
      const held = await receiver.waitFor(({ event }) => event === 'profile.health');
      expect(held.data).toEqual({ id: profileId, restriction });

      for (const person of people) await world.network.configureContact(person, { refuse: 0 });
      // The network lifts what it has notified.
      await world.network.configureContact(phone, { restriction: { type: 'BIZ_QUALITY', until: inSeconds(3600) } });
      await eventually(async () =>
        (await restrictionOf(tenant, profileId))?.type === 'BIZ_QUALITY' ? true : undefined,
      );
      await world.network.configureContact(phone, { restriction: null });
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: { sent: 5, failed: 0 } });
      expect(await Promise.all(people.map(mine.decrypted))).toEqual(people.map(() => ['Hello friend!']));
    }, 600_000);

    it('stays restricted over a kill -9, and the broadcast goes on although the restriction ends while the gateway is down', async () => {
      const world = at();
      const tenant = patient(await register(world));
      const { phone, profileId } = await linkProfile(world, tenant, '4915112345479');
      const mine = broadcastsOf(world, tenant, profileId);
      const people = [10, 11, 12, 13, 14].map(phoneOf);
      for (const person of people) await mine.addContact(person);
      const until = inSeconds(60);
      const restriction = { type: 'BIZ_QUALITY', until, notify: false };
      await world.network.configureContact(phone, { restriction });

      const { id } = await mine.create();
      await mine.tell(id, 'start');
      await mine.until(id, ({ pausedReason }) => pausedReason === 'restricted');
      expect(await mine.get(id)).toMatchObject({ resumesAt: until });
      await world.gateway.kill();
      await world.restart();
      await eventually(async () => {
        const { body } = await tenant.call<{ status: string }>('GET', `/profiles/${profileId}/status`);
        return body.status === 'connected' ? true : undefined;
      });
      expect(await mine.get(id)).toMatchObject({ status: 'running', pausedReason: 'restricted', resumesAt: until });
      expect(await text(tenant, profileId, phoneOf(92), 'To a stranger')).toMatchObject({
        status: 409,
        body: { error: { code: 'PROFILE_RESTRICTED', details: { type: 'BIZ_QUALITY', until } } },
      });
      expect(await stanzasTo(world, [...people, phoneOf(92)])).toBe(1);

      await world.gateway.kill();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, Date.parse(until) - Date.now() + 1000)));
      await world.restart();
      expect(await mine.over(id)).toMatchObject({ status: 'completed', stats: { sent: 5, failed: 0 } });
      expect(await Promise.all(people.map(mine.decrypted))).toEqual(people.map(() => ['Hello friend!']));
      expect(await restrictionOf(tenant, profileId)).toBeNull();
    }, 600_000);
  });
}
