import { expect } from '@jest/globals';
import { linkProfile, type ApiWorld, type LinkedProfile, type Tenant } from '@messaging-gateway/testing';
import { broadcastsOf } from './broadcasting.ts';
import type { World } from './world.ts';

const people = Array.from({ length: 40 }, (_, number) => ({
  phone: String(4_915_140_000_000 + number),
  name: `Person ${number}`,
}));

/** A broadcast that some people have got, and others have not. */
export interface HalfWay {
  readonly profile: LinkedProfile;
  /** Resolves when some more have got it. */
  goOn(): Promise<void>;
  /** Waits for its end: everybody has got it, nobody twice. */
  expectOnceEach(): Promise<void>;
}

/** Links a phone, and begins to send from it to many. */
export async function broadcastHalfWay(
  world: ApiWorld & { readonly network: Pick<World['network'], 'messages'> },
  tenant: Tenant,
  phone: string,
): Promise<HalfWay> {
  const profile = await linkProfile(world, tenant, phone);
  const mine = broadcastsOf({ network: world.network }, tenant, profile.profileId);
  await mine.addContacts(people);
  const { id } = await mine.create({ settings: { delayMin: 150, delayMax: 150 } });
  await mine.tell(id, 'start');
  const goOn = async (): Promise<void> => {
    const before = await mine.get(id);
    const goal = Math.min(people.length, before.stats.sent + 5);
    await mine.until(id, ({ stats }) => stats.sent >= goal);
  };
  await goOn();
  return {
    profile,
    goOn,
    expectOnceEach: async () => {
      const { status, stats } = await mine.over(id);
      const total = people.length;
      expect({ status, ...stats }).toMatchObject({
        status: 'completed',
        total,
        sent: total,
        failed: 0,
        skipped: 0,
        cancelled: 0,
      });
      const decrypted = await Promise.all(people.map((one) => mine.decrypted(one.phone)));
      expect(decrypted).toEqual(people.map(({ name }) => [`Hello ${name}!`]));
    },
  };
}
