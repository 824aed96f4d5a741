import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { builtPrograms, foreignKinds, missingCluster } from '../programs.ts';
import { startCluster, type Cluster } from './cluster.fixture.ts';

const chart = fileURLToPath(new URL('../../../helm/messaging-gateway/', import.meta.url));
const installations = readdirSync(join(chart, 'ci'));
const namespace = 'messaging';
const restricted = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);

const describeInCluster = missingCluster() === undefined ? describe : describe.skip;

describeInCluster('what the chart renders, asked of an API server', () => {
  let cluster: Cluster;
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-objects-'));
  beforeAll(async () => {
    cluster = await startCluster({ nodes: [], images: {} });
    await cluster.kubectl('create', 'namespace', namespace);
    await cluster.kubectl('label', 'namespace', namespace, ...restricted);
    const kinds = foreignKinds.flatMap((name) => ['--filename', join(builtPrograms, name)]);
    await cluster.kubectl('create', ...kinds);
    await cluster.kubectl('wait', '--for=condition=Established', '--timeout=300s', 'crd', '--all');
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @returns what the server says to each object @throws Error with what it refuses */
  const dryRun = async (name: string, objects: string): Promise<string> => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, objects);
    const how = ['--dry-run=server', '--validate=strict', '--namespace', namespace, '--filename', file];
    return cluster.kubectl('apply', ...how);
  };
  const rendered = (name: string): Promise<string> =>
    cluster.helm('template', 'shop', chart, '--namespace', namespace, '--values', join(chart, 'ci', name));

  it.each(installations)('takes every object of %s, and warns of none', async (name) => {
    const objects = await rendered(name);
    const answers = (await dryRun(name, objects)).trimEnd().split('\n');
    expect(answers.filter((line) => !line.endsWith('(server dry run)'))).toEqual([]);
    expect(answers).toHaveLength([...objects.matchAll(/^kind: /gm)].length);
  });

  it('refuses what is not as its kind has it, also kinds of other projects', async () => {
    const objects = await rendered('everything-values.yaml');
    for (const [right, wrong, named] of [
      ['minReplicaCount:', 'minReplicas:', 'minReplicas'],
      ['backendRefs:', 'backends:', 'backends'],
      ['terminationGracePeriodSeconds:', 'graceSeconds:', 'graceSeconds'],
      ['allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true', 'violates PodSecurity "restricted'],
    ] as const) {
      expect(objects).toContain(right);
      const answer = dryRun('wrong', objects.replaceAll(right, wrong));
      await expect(answer).rejects.toThrow(named);
    }
  });
});
