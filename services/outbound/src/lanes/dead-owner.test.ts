import { describe, expect, it } from '@jest/globals';
import { replicasTest, type Replica, type ReplicasProfile } from '../testing/replicas-test.ts';
import { watching, type Watching } from '../testing/watching.ts';

interface Orphaned extends Watching {
  readonly one: Replica;
  readonly profile: ReplicasProfile;
  /** Until it is called the database says that the replica has only just come, however long the test takes. */
  readonly maySucceed: () => Promise<unknown>;
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `number ${index}`);
/** A replica takes over from the dead only after its own heartbeats have succeeded for this long, milliseconds. */
const leasesLast = 3_000;
const patience = 150_000;

const withOrphan = (durableSend: boolean, run: (given: Orphaned) => Promise<void>) => async () => {
  const test = await replicasTest({ durableSend }, leasesLast);
  try {
    const one = await test.replica();
    const profile = await test.profile(one);
    const { profileId, caller } = profile;
    const beatingSince = (interval: string) =>
      test.sql.query(`UPDATE replicas SET beating_since = clock_timestamp() + $1::interval`, [interval]);
    await beatingSince('1 hour');
    await test.sql.query(`INSERT INTO leases VALUES ($1, $2, gen_random_uuid(), 7, now())`, [
      profileId,
      caller.organizationId,
    ]);
    await run({ one, profile, maySucceed: () => beatingSince('-1 hour'), ...watching(() => test) });
  } finally {
    await test.stop();
  }
};

describe('a lane whose owner is dead', () => {
  it.concurrent(
    'takes durable sends before anybody may take it, in the order in which they came',
    withOrphan(true, async ({ one, profile, maySucceed, handedTo, textsOf, isDone }) => {
      for (const text of texts(5)) expect((await profile.sendAt(one, text)).status).toBe(202);
      expect(handedTo(profile)).toEqual([]);
      await maySucceed();
      await isDone(profile, patience);
      expect(textsOf(profile)).toEqual(texts(5));
      expect(handedTo(profile)[0]?.laneEpoch).toBe(8);
    }),
    2 * patience,
  );

  it.concurrent(
    'holds synchronous sends until somebody may',
    withOrphan(false, async ({ one, profile, maySucceed }) => {
      const sent = profile.sendAt(one, 'Hello');
      await maySucceed();
      expect((await sent).status).toBe(200);
    }),
    2 * patience,
  );
});
