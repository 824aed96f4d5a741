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
  let installation: UsedInstallation;
  beforeAll(async () => {
    installation = await startUsedInstallation('before');
  }, patienceMs);
  afterAll(() => installation?.end(), patienceMs);

  it('answers `helm test`', () => installation.shopOf.helm('test', shop, patience), patienceMs);

  it(
    'moves to this version without a failed request; what comes before it waits as long as somebody holds a table',
    async () => {
      const reader = new Client({ connectionString: installation.world.databaseUrl });
      await reader.connect();
      try {
        await installation.unnoticed(async () => {
          await reader.query('begin');
          await lockAll(reader);
          // Whoever migrates asks this table first, also when there is nothing new.
          await reader.query('LOCK TABLE gateway.migrations IN ACCESS EXCLUSIVE MODE');
          const moved = installation.shopOf.move('upgrade', 'now');
          moved.catch(() => undefined);
          await eventually(() => waiting(reader), 600_000);
          const [job] = await installation.shopOf.podsOf('migrate');
          await installation.load.progress(10);
          const still = (await installation.shopOf.podsOf('migrate')).map(({ metadata, status }) => [
            metadata.uid,
            status?.phase,
          ]);
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
      installation.unnoticed(() =>
        expect(installation.shopOf.move('upgrade', 'now', '--set=existingSecret=without-a-key')).rejects.toThrow(
          'the Secret without-a-key has no key ENCRYPTION_KEY',
        ),
      ),
    patienceMs,
  );

  it(
    'serves on when a key is gone from the Secret: the new pod names it',
    () =>
      installation.unnoticed(async () => {
        const change = (op: object) =>
          installation.shopOf.kubectl('patch', 'secret', 'secrets', '--type=json', `--patch=${JSON.stringify([op])}`);
        const { data } = await installation.world.cluster.api.get<{ data: { JWT_REFRESH_SECRET: string } }>(
          `/api/v1/namespaces/${namespace}/secrets/secrets`,
        );
        const path = '/data/JWT_REFRESH_SECRET';
        await change({ op: 'remove', path });
        await installation.shopOf.kubectl('rollout', 'restart', `deployment/${shop}-identity`);
        const waits = await eventually(async () => {
          const states = (await installation.shopOf.podsOf('identity')).map(
            (pod) => pod.status?.containerStatuses?.[0]?.state,
          );
          return states.find((state) => state?.waiting?.reason === 'CreateContainerConfigError')?.waiting;
        }, 600_000);
        expect(waits.message).toContain('JWT_REFRESH_SECRET');
        await installation.load.progress(10);
        await change({ op: 'add', path, value: data.JWT_REFRESH_SECRET });
        await installation.shopOf.kubectl('rollout', 'status', `deployment/${shop}-identity`, patience);
      }),
    patienceMs,
  );

  it(
    'serves on when what comes before an upgrade fails; another upgrade is refused meanwhile',
    () =>
      installation.unnoticed(async () => {
        const elsewhere = ['--set=secrets.DATABASE_URL.name=elsewhere', '--set=secrets.DATABASE_URL.key=uri'];
        const failing = installation.shopOf
          .move('upgrade', 'now', ...elsewhere)
          .then(String, (error: Error) => error.message);
        await eventually(async () => (await installation.shopOf.podsOf('migrate'))[0], 600_000);
        await expect(installation.shopOf.move('upgrade', 'now')).rejects.toThrow(/another operation .* is in progress/);
        expect(await failing).toContain('shop-migrate');
        const [failed] = await installation.shopOf.podsOf('migrate');
        expect(failed && lastWords(failed)).toContain('user "nobody"');
      }),
    patienceMs,
  );

  it(
    'moves back to the version before without a failed request',
    () => installation.unnoticed(() => installation.shopOf.helm('rollback', shop, '1', '--wait', patience)),
    patienceMs,
  );

  it(
    'has lost nothing, sent nothing twice, and kept the order',
    async () => {
      await installation.load.stop();
      const arrivals = await installation.load.arrived();
      expect(installation.load.acknowledged()).toBeGreaterThan(60);
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
