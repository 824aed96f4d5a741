import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { serviceNames } from '@messaging-gateway/contracts';
import { Client } from 'pg';
import { parseAllDocuments } from 'yaml';
import { expectAllOnce } from '../../distributed/end-to-end/expect-all-once.ts';
import type { Load } from '../../distributed/end-to-end/load.ts';
import type { KubernetesObject } from '../cluster/api.ts';
import { missingCluster } from '../programs.ts';
import { installationIn, lastWords, patience, patienceMs, type Installation } from './installation.ts';
import { answered, samplesOf } from './metrics.ts';
import { restoredSuite } from './restored.suite.ts';
import { namespace, shop, startRolloutWorld, type RolloutWorld } from './world.ts';

const describeInCluster = missingCluster() === undefined ? describe : describe.skip;
const awayMs = 30_000;

describeInCluster('an installation in Kubernetes that people use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-rollouts-'));
  let world: RolloutWorld;
  let shopOf: Installation;
  let load: Load;

  /** Meanwhile, and a little longer, people are served as if nothing happened. */
  const unnoticed = async (work: () => Promise<unknown>): Promise<void> => {
    const before = world.failed.length;
    await work();
    await load.progress(10);
    expect(world.failed.slice(before)).toEqual([]);
  };

  beforeAll(async () => {
    world = await startRolloutWorld();
    shopOf = installationIn(world, folder);
    await shopOf.move('install', 'before');
    load = await world.startLoad();
    await load.progress(10);
  }, patienceMs);
  afterAll(async () => {
    await load?.stop().catch(() => undefined);
    await world?.end();
    rmSync(folder, { recursive: true, force: true });
  }, patienceMs);

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
    'is scaled from 2 to 4 and back without a failed request; profiles move by themselves until all replicas hold as many',
    () =>
      unnoticed(async () => {
        await world.linkIdle(6);
        for (const replicas of [4, 2]) {
          await shopOf.kubectl('scale', 'deployment', `${shop}-gateway`, `${shop}-sessions`, `--replicas=${replicas}`);
          await shopOf.allAvailable();
          await load.progress(20);
          for (const service of ['gateway', 'sessions'])
            await eventually(
              async () => ((await shopOf.podsOf(service)).length === replicas ? true : undefined),
              600_000,
            );
          const even = Array.from({ length: replicas }, () => 8 / replicas);
          await eventually(async () => {
            const replicas = await shopOf.podsOf('sessions');
            const held = await Promise.all(replicas.map((pod) => samplesOf(pod, 'sessions_leases')));
            return isDeepStrictEqual(held.flat(), even) ? true : undefined;
          }, 600_000);
        }
      }),
    patienceMs,
  );

  it(
    'answers what the chart asks Prometheus for to scale each service',
    async () => {
      const told = await shopOf.helm('template', shop, world.chart('now'), '--values', world.everything);
      const asked = queriesOf(told);
      expect(Object.keys(asked).toSorted()).toEqual(
        serviceNames.filter((name) => name !== 'gateway' && name !== 'identity').toSorted(),
      );
      const pods = await shopOf.pods();
      for (const [service, query] of Object.entries(asked))
        expect([service, await answered(query, pods)]).toEqual([service, expect.any(Number)]);
      expect(await answered(asked['sessions'] ?? '', pods)).toBe(8);
    },
    patienceMs,
  );

  it(
    'is backed up into the object store by a Job of the CronJob, while people write',
    () =>
      unnoticed(async () => {
        await shopOf.kubectl('create', 'job', 'by-hand', `--from=cronjob/${shop}-backup`);
        await shopOf.kubectl('wait', '--for=condition=Complete', 'job/by-hand', patience);
      }),
    patienceMs,
  );

  it(
    'ends a pod at once that is deleted in its first second',
    async () => {
      const [old] = await shopOf.podsOf('insights');
      await shopOf.kubectl('delete', 'pod', old?.metadata.name ?? '');
      const young = await eventually(async () => {
        const [pod] = (await shopOf.podsOf('insights')).filter(({ metadata }) => metadata.uid !== old?.metadata.uid);
        return pod?.status?.containerStatuses?.[0]?.state?.running === undefined ? undefined : pod;
      }, 600_000);
      await shopOf.kubectl('delete', 'pod', young.metadata.name);
      const ends = world.cluster.endsOf(young.metadata.name);
      expect([[0], [143]]).toContainEqual(ends);
      await shopOf.allAvailable();
    },
    patienceMs,
  );

  it(
    'leaves a node that is drained without a failed request',
    () =>
      unnoticed(async () => {
        const node = (await shopOf.podsOf('sessions'))[0]?.spec.nodeName;
        await shopOf.kubectl('drain', node, '--delete-emptydir-data', patience);
        await shopOf.allAvailable();
        await shopOf.kubectl('uncordon', node);
      }),
    patienceMs,
  );

  it(
    'goes on when a node is lost',
    async () => {
      const node = (await shopOf.podsOf('sessions'))[0]?.spec.nodeName;
      await world.cluster.killNode(node);
      await load.progress(10);
      await shopOf.kubectl('wait', '--for=condition=Ready=unknown', `node/${node}`, patience);
      await shopOf.kubectl('delete', 'node', node);
      await shopOf.allAvailable();
      await load.progress(20);
    },
    patienceMs,
  );

  it(
    'outlives 30 s without PostgreSQL; no pod is started again',
    async () => {
      const before = await shopOf.restarts();
      world.postgres.cut();
      await sleep(awayMs);
      world.postgres.heal();
      await load.progress(20);
      await shopOf.allAvailable();
      expect(await shopOf.restarts()).toBe(before);
    },
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
      expect(load.acknowledged()).toBeGreaterThan(100);
      expectAllOnce(arrivals);
    },
    patienceMs,
  );

  describe('after a restore', () => {
    restoredSuite(() => ({ world, shopOf, load }));
  });
});

/** As `pg_dump` does: everybody else may go on reading and writing, but nobody may change a table. */
async function lockAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'`,
  );
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}

/** Queries of Prometheus by the service that they scale, of rendered objects. */
const queriesOf = (objects: string): Record<string, string> =>
  Object.fromEntries(
    parseAllDocuments(objects)
      .map((document) => document.toJS() as KubernetesObject & { readonly kind: string })
      .filter((object) => object?.kind === 'ScaledObject' && object.spec.triggers[0].type === 'prometheus')
      .map(({ metadata, spec }) => [
        metadata.labels?.['app.kubernetes.io/component'] ?? '',
        spec.triggers[0].metadata.query as string,
      ]),
  );

/** @returns undefined unless a migration waits for a lock */
async function waiting(client: Client): Promise<true | undefined> {
  const { rows } = await client.query(
    `SELECT FROM pg_locks WHERE relation = 'gateway.migrations'::regclass AND NOT granted`,
  );
  return rows.length > 0 ? true : undefined;
}
