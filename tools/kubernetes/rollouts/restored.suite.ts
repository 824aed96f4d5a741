import { describe, expect, it } from '@jest/globals';
import { simulatorControl } from '@messaging-gateway/network-simulator';
import { eventually } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { mediaSuite } from '../../distributed/plain/media.suite.ts';
import type { Load } from '../../distributed/load/load.ts';
import type { KubernetesObject } from '../cluster/api.ts';
import { lastWords, patience, patienceMs, type Installation } from './installation.ts';
import { shop, type RolloutWorld } from './world.ts';

interface Parts {
  readonly world: RolloutWorld;
  readonly shopOf: Installation;
  /** Has ended. */
  readonly load: Load;
}

/** The way back from a backup, to an installation of one pod for each service with media on a claim and a simulated network. */
export function restoredSuite(parts: () => Parts): void {
  let simulator: string;
  const database = '--set=secrets.DATABASE_URL.name=restored,secrets.DATABASE_URL.key=uri';

  it(
    'stands still while a Job restores the newest backup into an empty database',
    async () => {
      const { world, shopOf } = parts();
      const { move, pods, podsOf } = shopOf;
      await makeDatabase(world.databaseUrl);
      // Replicas that `kubectl scale` has set are not Helm's.
      await move('upgrade', 'now', '--set=paused=true', '--force-conflicts');
      const isOver = ({ status }: KubernetesObject): boolean => ['Succeeded', 'Failed'].includes(status?.phase);
      await eventually(async () => ((await pods()).every(isOver) ? true : undefined), patienceMs);
      await move('upgrade', 'now', '--set=paused=true,restore.enabled=true', database);
      expect((await podsOf('restore')).map(({ status }) => status?.phase)).toEqual(['Succeeded']);
    },
    patienceMs,
  );

  it(
    'refuses a claim that only one node can write',
    async () => {
      const { world, shopOf } = parts();
      shopOf.use({ ...world.smallValues, media: { existingClaim: 'of-one-node' } });
      await expect(shopOf.move('upgrade', 'now', database)).rejects.toThrow('It must be ReadWriteMany');
    },
    patienceMs,
  );

  it(
    'starts from the backup; what earlier versions needed is taken away only now that it is asked for',
    async () => {
      const { world, shopOf, load } = parts();
      const told = async (): Promise<string> =>
        shopOf.kubectl('get', 'events', `--field-selector=involvedObject.name=${shop}-contract`, '--output=name');
      expect(await told()).not.toContain('event');
      shopOf.use(world.smallValues);
      await shopOf.move('upgrade', 'now', database, '--set=migrations.contract=true');
      expect(await told()).toContain('event');
      simulator = await world.simulatorUrl();
      const stored = await load.stored();
      expect(Math.min(...stored)).toBeGreaterThan(0);
    },
    patienceMs,
  );

  it(
    'answers `helm test` with one message through the simulated network',
    async () => {
      const told = await parts().shopOf.helm('test', shop, patience);
      expect(told).toMatch(/Phase:\s+Succeeded/);
    },
    patienceMs,
  );

  describe('media on a claim that the pods of all nodes write', () => {
    mediaSuite(() => {
      const { world } = parts();
      const network = simulatorControl(simulator);
      return { network, api: { ...world.api, network }, installation: { gateways: [world.url] } };
    });
  });

  it(
    '`helm test` fails, and says why, when the gateway cannot send',
    async () => {
      const { helm, kubectl, move, podsOf } = parts().shopOf;
      await move('upgrade', 'now', database, '--no-hooks', '--set=tests.patienceSeconds=10');
      await kubectl('scale', 'deployment', `${shop}-simulator`, '--replicas=0');
      await eventually(async () => ((await podsOf('simulator')).length === 0 ? true : undefined), patienceMs);
      await expect(helm('test', shop, patience)).rejects.toThrow(`${shop}-test`);
      const [test] = await podsOf('test');
      expect(test && lastWords(test)).toMatch(/^FAILED: the profile cannot be linked: /m);
    },
    patienceMs,
  );
}

async function makeDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE DATABASE restored');
  } finally {
    await client.end();
  }
}
