import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../testing/eventually.ts';
import { replicasTest, type Replica, type ReplicasTest } from '../testing/replicas-test.ts';
import { watching } from '../testing/watching.ts';

let test: ReplicasTest;
let one: Replica;
beforeAll(async () => {
  test = await replicasTest({ rebalanceSeconds: 0.1 }, 9_000);
  one = await test.replica();
});
afterAll(() => test.stop());

const { handedTo, textsOf } = watching(() => test);
const owned = async (): Promise<number[]> => {
  const rows = await test.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM leases WHERE replica_id IS NOT NULL GROUP BY replica_id ORDER BY 1',
  );
  return rows.map(({ count }) => count);
};

it('lanes move to a replica that comes, while messages go out, each once and in order', async () => {
  const profiles = await Promise.all(Array.from({ length: 4 }, () => test.profile(one, { messageDelayMs: 0 })));
  for (const profile of profiles) await profile.sendAt(one, 'first');
  expect(await owned()).toEqual([4]);
  const other = await test.replica();
  const sent = ['first'];
  const busy = profiles[0];
  if (busy === undefined) throw new Error('No profile.');
  await eventually(async () => {
    const text = `number ${sent.length}`;
    expect(await busy.sendAt(sent.length % 2 === 0 ? one : other, text)).toMatchObject({ status: 200 });
    sent.push(text);
    return JSON.stringify(await owned()) === '[2,2]';
  });
  for (const profile of profiles) for (const at of [one, other]) await profile.sendAt(at, 'after');
  expect(textsOf(busy)).toEqual([...sent, 'after', 'after']);
  expect(profiles.slice(1).map((profile) => textsOf(profile))).toEqual(
    Array.from({ length: 3 }, () => ['first', 'after', 'after']),
  );
  const epochs = profiles.map((profile) => new Set(handedTo(profile).map(({ laneEpoch }) => laneEpoch)).size);
  expect(epochs.filter((count) => count > 1).length).toBeGreaterThanOrEqual(2);
});
