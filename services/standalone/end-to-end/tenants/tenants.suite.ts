import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations, permissions } from '@messaging-gateway/contracts';
import type { World } from '../world.ts';
import { fullProfile, fullTenant, type FullTenant, type OfProfile } from './full-tenant.ts';
import { atOnce, makers } from './repeats.ts';
import { placeholders, type Ids } from './slots.ts';
import {
  ask,
  attacks,
  everything,
  isEmpty,
  leaks,
  ownRequest,
  searches,
  settled,
  statusOf,
  type Walker,
} from './walking.ts';

let world: World;
let victim: FullTenant;
let stranger: FullTenant;
/** Another profile of the stranger, and a key that is limited to the first. */
let hidden: OfProfile;
let key: string;
const hiddenMark = 'Brontide';

const told = { ofVictim: [], ofStranger: [] } as Record<string, Walker['told']>;
/** A person of the tenant, who may do everything there. */
const personOf = (tenant: FullTenant): Walker => ({
  ids: tenant.ids,
  url: tenant.receiver.url,
  headers: { authorization: `Bearer ${tenant.token}` },
  told: (tenant === victim ? told['ofVictim'] : told['ofStranger']) ?? [],
});

/** Operations that take the id of something of these, and what asks for each. */
const attacked = (others: Ids) =>
  operations
    .filter((operation) => attacks(operation, others, () => ({}) as Walker).length > 0)
    .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** Two tenants with one of everything: neither reaches what the other has, nor does a key beyond its profile. */
export function tenants(at: () => World): void {
  describe('tenants of one installation', () => {
    beforeAll(async () => {
      world = at();
      victim = await fullTenant(world, 'Zephyrine', '41');
      stranger = await fullTenant(world, 'Quillon', '42');
      hidden = await fullProfile(world, stranger, { mark: hiddenMark, number: '43', receiver: stranger.receiver });
      const scope = { name: 'limited', permissions, profileIds: [stranger.ids.profile] };
      key = (await stranger.call<{ key: string }>('POST', '/api-keys', scope)).body.key;
    }, 900_000);
    afterAll(() => Promise.all([victim?.receiver.stop(), stranger?.receiver.stop()]));

    describe('a thing of a tenant', () => {
      let before: Record<string, string>;

      it('is there to be found', async () => {
        before = await settled(world, personOf(victim));
        const absent = Object.entries(before).filter(([, answer]) => !answer.startsWith('200'));
        // A connected profile has no QR code; no group lies behind the JID.
        expect(absent.filter(([name]) => !/qr$|groups/.test(name))).toEqual([]);
        expect(JSON.stringify(before)).toContain(victim.mark);
      }, 600_000);

      it.each(attacked(placeholders))('does not exist for another in %s', async (_, operation) => {
        for (const attack of attacks(operation, victim.ids, () => personOf(stranger))) {
          const asked = attack();
          const answer = await ask(world, personOf(stranger), asked);
          expect([asked, answer.text, statusOf(asked, answer)]).toEqual([asked, answer.text, 404]);
        }
      });

      it('has not changed', async () => {
        expect(await settled(world, personOf(victim))).toEqual(before);
      }, 600_000);

      it('is in nothing that another has read, searched, or been told', async () => {
        await everything(world, personOf(stranger));
        for (const word of [victim.mark, victim.phone, victim.contactPhone])
          for (const { path, status, text } of await searches(world, personOf(stranger), word))
            expect([path, status, isEmpty(text)]).toEqual([path, 200, true]);
        const secrets = [victim.mark, victim.phone, victim.contactPhone, ...Object.values(victim.ids)];
        expect(leaks(personOf(stranger), secrets)).toEqual([]);
        const deliveries = JSON.stringify(stranger.receiver.deliveries);
        expect(secrets.filter((secret) => deliveries.includes(secret))).toEqual([]);
      }, 600_000);
    });

    describe('a profile outside of a key', () => {
      const limited = (): Walker => ({ ...personOf(stranger), headers: { 'x-api-key': key }, told: [] });
      const ofProfile: (keyof OfProfile)[] = [
        'profile',
        'message',
        'conversation',
        'contact',
        'scheduled',
        'batch',
        'broadcast',
        'webhook',
        'delivery',
      ];
      const others = Object.fromEntries(ofProfile.map((name) => [name, name])) as Ids;
      // The audit is about the organization, whatever a key is limited to.
      const about = attacked(others).filter(([name]) => !name.includes('/audit/'));

      it.each(about)('is out of its reach in %s', async (_, operation) => {
        for (const attack of attacks(operation, hidden, limited)) {
          const asked = attack();
          const answer = await ask(world, limited(), asked);
          expect([asked, answer.text, [403, 404].includes(statusOf(asked, answer))]).toEqual([
            asked,
            answer.text,
            true,
          ]);
        }
      });

      it('is in nothing that the key can read or search', async () => {
        const shown = Object.entries(await everything(world, limited()));
        // What the maker may read about organization and person is not about profiles.
        const ofProfiles = shown.filter(([name]) => !/\/(audit|account)\//.test(name)).map(([, answer]) => answer);
        for (const { text } of await searches(world, limited(), hiddenMark)) ofProfiles.push(text);
        const secrets = [hiddenMark, '4915120000143', '4915120000243', ...Object.values(hidden)];
        expect(ofProfiles.filter((answer) => secrets.some((secret) => answer.includes(secret)))).toEqual([]);
        expect(ofProfiles.some((answer) => answer.includes(stranger.mark))).toBe(true);
      }, 600_000);
    });

    describe('a request that makes something', () => {
      it.each(makers)('makes it once when it comes five times at the same moment: %s', async (_, operation) => {
        const fixed = ownRequest(operation, personOf(stranger));
        const answers = await atOnce(world, personOf(stranger), fixed, 5);
        const made = answers.filter(({ status }) => status === 201).map(({ text }) => text);
        expect(
          answers.filter(({ status, text }) => status !== 201 && !text.includes('IDEMPOTENCY_IN_PROGRESS')),
        ).toEqual([]);
        expect(new Set(made).size).toBe(1);
        expect(await atOnce(world, personOf(stranger), fixed, 1)).toEqual([
          { status: 201, text: made[0], replayed: true },
        ]);
      });
    });
  });
}
