import { describe, expect, it } from '@jest/globals';
import { replicasTest, type Replica, type ReplicasProfile } from '../testing/replicas-test.ts';
import { watching, type Watching } from '../testing/watching.ts';

interface Orphaned extends Watching {
  readonly one: Replica;
  readonly profile: ReplicasProfile;
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `number ${index}`);
/** A replica may judge others only when it has lived for so long itself: both tests wait for that at the same time. */
const leasesLast = 20_000;
const patience = 150_000;

const withOrphan = (durableSend: boolean, run: (given: Orphaned) => Promise<void>) => async () => {
  const test = await replicasTest({ durableSend }, leasesLast);
  try {
    const one = await test.replica();
    const profile = await test.profile(one);
    const { profileId, caller } = profile;
    await test.sql.query(`INSERT INTO leases VALUES ($1, $2, gen_random_uuid(), 7, now())`, [
      profileId,
      caller.organizationId,
    ]);
    await run({ one, profile, ...watching(() => test) });
  } finally {
    await test.stop();
  }
};

describe('a lane whose owner is dead', () => {
  it.concurrent(
    'takes durable sends before anybody may take it, in the order in which they came',
    withOrphan(true, async ({ one, profile, handedTo, textsOf, isDone }) => {
      for (const text of texts(5)) expect((await profile.sendAt(one, text)).status).toBe(202);
      expect(handedTo(profile)).toEqual([]);
      await isDone(profile, patience);
      expect(textsOf(profile)).toEqual(texts(5));
      expect(handedTo(profile)[0]?.laneEpoch).toBe(8);
    }),
    2 * patience,
  );

  it.concurrent(
    'holds synchronous sends until somebody may',
    withOrphan(false, async ({ one, profile }) => {
      expect((await profile.sendAt(one, 'Hello')).status).toBe(200);
    }),
    2 * patience,
  );
});
