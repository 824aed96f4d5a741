import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import { parseAllDocuments } from 'yaml';
import { expectAllOnce } from '../../distributed/load/expect-all-once.ts';
import type { KubernetesObject } from '../cluster/api.ts';
import { missingCluster } from '../programs.ts';
import { patience, patienceMs } from './installation.ts';
import { answered, samplesOf } from './metrics.ts';
import { restoredSuite } from './restored.suite.ts';
import { startUsedInstallation, type UsedInstallation } from './used-installation.ts';
import { shop } from './world.ts';

const describeInCluster = missingCluster() === undefined ? describe : describe.skip;
/** PostgreSQL is unreachable for longer than a lease lives (9 s) and than a send is held (20 s). */
const awayMs = 30_000;

describeInCluster('the operation of an installation in Kubernetes', () => {
  let world: UsedInstallation['world'];
  let shopOf: UsedInstallation['shopOf'];
  let load: UsedInstallation['load'];
  let unnoticed: UsedInstallation['unnoticed'];
  let end: UsedInstallation['end'] | undefined;
  beforeAll(async () => {
    ({ world, shopOf, load, unnoticed, end } = await startUsedInstallation('now'));
  }, patienceMs);
  afterAll(() => end?.(), patienceMs);

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
