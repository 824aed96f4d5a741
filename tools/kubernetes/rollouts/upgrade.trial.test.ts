import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { expectAllOnce } from '../../distributed/load/expect-all-once.ts';
import { missingCluster } from '../programs.ts';
import { lastWords, patience, patienceMs } from './installation.ts';
import { startUsedInstallation, type UsedInstallation } from './used-installation.ts';
import { namespace, shop } from './world.ts';

const describeInCluster = missingCluster() === undefined ? describe : describe.skip;

describeInCluster('an upgrade in Kubernetes from the last release, and the rollback', () => {
  let world: UsedInstallation['world'];
  let shopOf: UsedInstallation['shopOf'];
  let load: UsedInstallation['load'];
  let unnoticed: UsedInstallation['unnoticed'];
  let end: UsedInstallation['end'] | undefined;
  beforeAll(async () => {
    ({ world, shopOf, load, unnoticed, end } = await startUsedInstallation('before'));
  }, patienceMs);
  afterAll(() => end?.(), patienceMs);

  it('answers `helm test`', () => shopOf.helm('test', shop, patience), patienceMs);

  it(
    'moves to this version without a failed request; what comes before it waits as long as somebody holds a table',
    async () => {
      const reader = new Client({ connectionString: world.databaseUrl });
      await reader.connect();
      try {
        await unnoticed(async () => {
          await reader.query('begin');
          await lockAll(reader);
          // Whoever migrates asks this table first, also when there is nothing new.
          await reader.query('LOCK TABLE gateway.migrations IN ACCESS EXCLUSIVE MODE');
          const moved = shopOf.move('upgrade', 'now');
          moved.catch(() => undefined);
          await eventually(() => waiting(reader), 600_000);
          const [job] = await shopOf.podsOf('migrate');
          await load.progress(10);
          const still = (await shopOf.podsOf('migrate')).map(({ metadata, status }) => [metadata.uid, status?.phase]);
          expect(still).toEqual([[job?.metadata.uid, 'Running']]);
          await reader.query('commit');
          await moved;
        });
      } finally {
        await reader.end();
      }
    },
    patienceMs,
  );

  it(
    'is not touched by a Secret without a key: Helm names it',
    () =>
      unnoticed(() =>
        expect(shopOf.move('upgrade', 'now', '--set=existingSecret=without-a-key')).rejects.toThrow(
          'the Secret without-a-key has no key ENCRYPTION_KEY',
        ),
      ),
    patienceMs,
  );

  it(
    'serves on when a key is gone from the Secret: the new pod names it',
    () =>
      unnoticed(async () => {
        const change = (op: object) =>
          shopOf.kubectl('patch', 'secret', 'secrets', '--type=json', `--patch=${JSON.stringify([op])}`);
        const { data } = await world.cluster.api.get<{ data: { JWT_REFRESH_SECRET: string } }>(
          `/api/v1/namespaces/${namespace}/secrets/secrets`,
        );
        const path = '/data/JWT_REFRESH_SECRET';
        await change({ op: 'remove', path });
        await shopOf.kubectl('rollout', 'restart', `deployment/${shop}-identity`);
        const waits = await eventually(async () => {
          const states = (await shopOf.podsOf('identity')).map((pod) => pod.status?.containerStatuses?.[0]?.state);
          return states.find((state) => state?.waiting?.reason === 'CreateContainerConfigError')?.waiting;
        }, 600_000);
        expect(waits.message).toContain('JWT_REFRESH_SECRET');
        await load.progress(10);
        await change({ op: 'add', path, value: data.JWT_REFRESH_SECRET });
        await shopOf.kubectl('rollout', 'status', `deployment/${shop}-identity`, patience);
      }),
    patienceMs,
  );

  it(
    'serves on when what comes before an upgrade fails; another upgrade is refused meanwhile',
    () =>
      unnoticed(async () => {
        const elsewhere = ['--set=secrets.DATABASE_URL.name=elsewhere', '--set=secrets.DATABASE_URL.key=uri'];
        const failing = shopOf.move('upgrade', 'now', ...elsewhere).then(String, (error: Error) => error.message);
        await eventually(async () => (await shopOf.podsOf('migrate'))[0], 600_000);
        await expect(shopOf.move('upgrade', 'now')).rejects.toThrow(/another operation .* is in progress/);
        expect(await failing).toContain('shop-migrate');
        const [failed] = await shopOf.podsOf('migrate');
        expect(failed && lastWords(failed)).toContain('user "nobody"');
      }),
    patienceMs,
  );

  it(
    'moves back to the version before without a failed request',
    () => unnoticed(() => shopOf.helm('rollback', shop, '1', '--wait', patience)),
    patienceMs,
  );

  it(
    'has lost nothing, sent nothing twice, and kept the order',
    async () => {
      await load.stop();
      const arrivals = await load.arrived();
      expect(load.acknowledged()).toBeGreaterThan(60);
      expectAllOnce(arrivals);
    },
    patienceMs,
  );
});

/** As `pg_dump` does: everybody else may go on reading and writing, but nobody may change a table. */
async function lockAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'`,
  );
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}

/** @returns undefined unless a migration waits for a lock */
async function waiting(client: Client): Promise<true | undefined> {
  const { rows } = await client.query(
    `SELECT FROM pg_locks WHERE relation = 'gateway.migrations'::regclass AND NOT granted`,
  );
  return rows.length > 0 ? true : undefined;
}
