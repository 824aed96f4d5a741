import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { expectAllOnce } from '../../distributed/end-to-end/expect-all-once.ts';
import type { Load } from '../../distributed/end-to-end/load.ts';
import type { KubernetesObject } from '../cluster/api.ts';
import { missingCluster } from '../programs.ts';
import { namespace, shop, startRolloutWorld, type RolloutWorld, type Version } from './world.ts';

const describeInCluster = missingCluster() === undefined ? describe : describe.skip;
/** Patience that ends only what is broken, milliseconds, and for Helm and kubectl. */
const patienceMs = 1_200_000;
const patience = '--timeout=15m';
const awayMs = 30_000;

describeInCluster('an installation in Kubernetes that people use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-rollouts-'));
  const values = join(folder, 'values.json');
  let world: RolloutWorld;
  let load: Load;

  const helm = (...words: readonly string[]): Promise<string> =>
    world.cluster.helm(...words, '--namespace', namespace).catch((error: Error) => {
      throw new Error(`${error.message}\n${world.cluster.logs()}`, { cause: error });
    });
  const kubectl = (...words: readonly string[]): Promise<string> =>
    world.cluster.kubectl('--namespace', namespace, ...words);
  const install = (verb: 'install' | 'upgrade', version: Version, ...words: readonly string[]): Promise<string> => {
    const chosen = ['--values', values, '--set', `image.tag=${version}`];
    return helm(verb, shop, world.chart(version), ...chosen, '--wait', patience, ...words);
  };
  const pods = (): Promise<readonly KubernetesObject[]> =>
    world.cluster.api.list(`/api/v1/namespaces/${namespace}/pods`);
  const podsOf = async (service: string): Promise<readonly KubernetesObject[]> =>
    (await pods()).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === service);
  const allAvailable = (): Promise<string> =>
    kubectl('wait', '--for=condition=Available', 'deployment', '--all', patience);
  const restarts = async (): Promise<number> =>
    (await pods()).reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0);
  /** Meanwhile, and a little longer, people are served as if nothing happened. */
  const unnoticed = async (work: () => Promise<unknown>): Promise<void> => {
    const before = world.failed.length;
    await work();
    await load.progress(10);
    expect(world.failed.slice(before)).toEqual([]);
  };

  beforeAll(async () => {
    world = await startRolloutWorld();
    writeFileSync(values, JSON.stringify(world.values));
    await install('install', 'before');
    load = await world.startLoad();
    await load.progress(10);
  }, patienceMs);
  afterAll(async () => {
    await load?.stop().catch(() => undefined);
    await world?.end();
    rmSync(folder, { recursive: true, force: true });
  }, patienceMs);

  it('answers `helm test`', () => helm('test', shop, patience), patienceMs);

  it(
    'moves to this version without a failed request, while somebody reads every table as a backup does',
    async () => {
      const reader = new Client({ connectionString: world.databaseUrl });
      await reader.connect();
      try {
        await unnoticed(async () => {
          await reader.query('begin');
          await lockAll(reader);
          const moved = install('upgrade', 'now');
          moved.catch(() => undefined);
          await eventually(
            async () => (await podsOf('migrate'))[0]?.status?.containerStatuses?.[0]?.state?.running,
            600_000,
          );
          await load.progress(10);
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
        expect(install('upgrade', 'now', '--set=existingSecret=without-a-key')).rejects.toThrow(
          'the Secret without-a-key has no key ENCRYPTION_KEY',
        ),
      ),
    patienceMs,
  );

  it(
    'serves on when what comes before an upgrade fails; another upgrade is refused meanwhile',
    () =>
      unnoticed(async () => {
        const elsewhere = ['--set=secrets.DATABASE_URL.name=elsewhere', '--set=secrets.DATABASE_URL.key=uri'];
        const failing = install('upgrade', 'now', ...elsewhere).then(String, (error: Error) => error.message);
        await eventually(async () => (await podsOf('migrate'))[0], 600_000);
        await expect(install('upgrade', 'now')).rejects.toThrow(/another operation .* is in progress/);
        const told = await failing;
        expect(told).toContain('shop-migrate');
        expect(told).toContain('user "nobody"');
      }),
    patienceMs,
  );

  it(
    'is scaled from 2 to 4 and back without a failed request',
    () =>
      unnoticed(async () => {
        for (const replicas of [4, 2]) {
          await kubectl('scale', 'deployment', `${shop}-gateway`, `${shop}-sessions`, `--replicas=${replicas}`);
          await allAvailable();
          await load.progress(20);
          for (const service of ['gateway', 'sessions'])
            await eventually(async () => ((await podsOf(service)).length === replicas ? true : undefined), 600_000);
        }
      }),
    patienceMs,
  );

  it(
    'ends a pod at once that is deleted in its first second',
    async () => {
      const [old] = await podsOf('insights');
      await kubectl('delete', 'pod', old?.metadata.name ?? '');
      const young = await eventually(async () => {
        const [pod] = (await podsOf('insights')).filter(({ metadata }) => metadata.uid !== old?.metadata.uid);
        return pod?.status?.containerStatuses?.[0]?.state?.running === undefined ? undefined : pod;
      }, 600_000);
      await kubectl('delete', 'pod', young.metadata.name);
      const ends = world.cluster.endsOf(young.metadata.name);
      expect([[0], [143]]).toContainEqual(ends);
      await allAvailable();
    },
    patienceMs,
  );

  it(
    'leaves a node that is drained without a failed request',
    () =>
      unnoticed(async () => {
        const node = (await podsOf('sessions'))[0]?.spec.nodeName;
        await kubectl('drain', node, '--delete-emptydir-data', patience);
        await allAvailable();
        await kubectl('uncordon', node);
      }),
    patienceMs,
  );

  it(
    'goes on when a node is lost',
    async () => {
      const node = (await podsOf('sessions'))[0]?.spec.nodeName;
      await world.cluster.killNode(node);
      await load.progress(10);
      await kubectl('wait', '--for=condition=Ready=unknown', `node/${node}`, patience);
      await kubectl('delete', 'node', node);
      await allAvailable();
      await load.progress(20);
    },
    patienceMs,
  );

  it(
    'outlives 30 s without PostgreSQL; no pod is started again',
    async () => {
      const before = await restarts();
      world.postgres.cut();
      await sleep(awayMs);
      world.postgres.heal();
      await load.progress(20);
      await allAvailable();
      expect(await restarts()).toBe(before);
    },
    patienceMs,
  );

  it(
    'moves back to the version before without a failed request',
    () => unnoticed(() => helm('rollback', shop, '1', '--wait', patience)),
    patienceMs,
  );

  it(
    'has lost nothing, sent nothing twice, and kept the order',
    async () => {
      await load.stop();
      const arrivals = await load.arrived();
      expect(load.acknowledged()).toBeGreaterThan(100);
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
