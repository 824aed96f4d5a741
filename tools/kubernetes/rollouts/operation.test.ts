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
/** PostgreSQL is unreachable for longer than a liveness probe fails, than a lease lives (9 s) and than a send is held (20 s). */
const awayMs = 30_000;

describeInCluster('the operation of an installation in Kubernetes', () => {
  let installation: UsedInstallation;
  beforeAll(async () => {
    installation = await startUsedInstallation('now');
  }, patienceMs);
  afterAll(() => installation?.end(), patienceMs);

  it(
    'is scaled from 2 to 4 and back without a failed request; profiles move by themselves until all replicas hold as many',
    () =>
      installation.unnoticed(async () => {
        await installation.world.linkIdle(6);
        for (const replicas of [4, 2]) {
          await installation.shopOf.kubectl(
            'scale',
            'deployment',
            `${shop}-gateway`,
            `${shop}-sessions`,
            `--replicas=${replicas}`,
          );
          await installation.shopOf.allAvailable();
          await installation.load.progress(20);
          for (const service of ['gateway', 'sessions'])
            await eventually(
              async () => ((await installation.shopOf.podsOf(service)).length === replicas ? true : undefined),
              600_000,
            );
          const even = Array.from({ length: replicas }, () => 8 / replicas);
          await eventually(async () => {
            const replicas = await installation.shopOf.podsOf('sessions');
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
      const told = await installation.shopOf.helm(
        'template',
        shop,
        installation.world.chart('now'),
        '--values',
        installation.world.everything,
      );
      const asked = queriesOf(told);
      expect(Object.keys(asked).toSorted()).toEqual(
        serviceNames.filter((name) => name !== 'gateway' && name !== 'identity').toSorted(),
      );
      const pods = await installation.shopOf.pods();
      for (const [service, query] of Object.entries(asked))
        expect([service, await answered(query, pods)]).toEqual([service, expect.any(Number)]);
      expect(await answered(asked['sessions'] ?? '', pods)).toBe(8);
    },
    patienceMs,
  );

  it(
    'is backed up into the object store by a Job of the CronJob, while people write',
    () =>
      installation.unnoticed(async () => {
        await installation.shopOf.kubectl('create', 'job', 'by-hand', `--from=cronjob/${shop}-backup`);
        await installation.shopOf.kubectl('wait', '--for=condition=Complete', 'job/by-hand', patience);
      }),
    patienceMs,
  );

  it(
    'ends a pod at once that is deleted in its first second',
    async () => {
      const [old] = await installation.shopOf.podsOf('insights');
      await installation.shopOf.kubectl('delete', 'pod', old?.metadata.name ?? '');
      const young = await eventually(async () => {
        const [pod] = (await installation.shopOf.podsOf('insights')).filter(
          ({ metadata }) => metadata.uid !== old?.metadata.uid,
        );
        return pod?.status?.containerStatuses?.[0]?.state?.running === undefined ? undefined : pod;
      }, 600_000);
      await installation.shopOf.kubectl('delete', 'pod', young.metadata.name);
      const ends = installation.world.cluster.endsOf(young.metadata.name);
      expect([[0], [143]]).toContainEqual(ends);
      await installation.shopOf.allAvailable();
    },
    patienceMs,
  );

  it(
    'leaves a node that is drained without a failed request',
    () =>
      installation.unnoticed(async () => {
        const node = (await installation.shopOf.podsOf('sessions'))[0]?.spec.nodeName;
        await installation.shopOf.kubectl('drain', node, '--delete-emptydir-data', patience);
        await installation.shopOf.allAvailable();
        await installation.shopOf.kubectl('uncordon', node);
      }),
    patienceMs,
  );

  it(
    'goes on when a node is lost',
    async () => {
      const node = (await installation.shopOf.podsOf('sessions'))[0]?.spec.nodeName;
      await installation.world.cluster.killNode(node);
      await installation.load.progress(10);
      await installation.shopOf.kubectl('wait', '--for=condition=Ready=unknown', `node/${node}`, patience);
      await installation.shopOf.kubectl('delete', 'node', node);
      await installation.shopOf.allAvailable();
      await installation.load.progress(20);
    },
    patienceMs,
  );

  it(
    'outlives 30 s without PostgreSQL; no pod is started again',
    async () => {
      const before = await installation.shopOf.restarts();
      installation.world.postgres.cut();
      await sleep(awayMs);
      installation.world.postgres.heal();
      await installation.load.progress(20);
      await installation.shopOf.allAvailable();
      expect(await installation.shopOf.restarts()).toBe(before);
    },
    patienceMs,
  );

  it(
    'has lost nothing, sent nothing twice, and kept the order',
    async () => {
      await installation.load.stop();
      const arrivals = await installation.load.arrived();
      expect(installation.load.acknowledged()).toBeGreaterThan(100);
      expectAllOnce(arrivals);
    },
    patienceMs,
  );

  describe('after a restore', () => {
    restoredSuite(() => installation);
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
