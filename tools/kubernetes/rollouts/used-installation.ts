import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Load } from '../../distributed/load/load.ts';
import { installationIn, type Installation } from './installation.ts';
import { startRolloutWorld, type RolloutWorld, type Version } from './world.ts';

/** The installation `shop`, whose users send and receive messages until `load` is stopped. */
export interface UsedInstallation {
  readonly world: RolloutWorld;
  readonly shopOf: Installation;
  readonly load: Load;
  /** Does something while messages are sent, waits for ten more messages, and expects that no request has failed meanwhile. */
  unnoticed(work: () => Promise<unknown>): Promise<void>;
  end(): Promise<void>;
}

/** Starts a cluster and installs a version. @param first version that is installed; the later ones are there as well */
export async function startUsedInstallation(first: Version): Promise<UsedInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-rollouts-'));
  const world = await startRolloutWorld(first);
  let load: Load | undefined;
  const end = async (): Promise<void> => {
    await load?.stop().catch(() => undefined);
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const shopOf = installationIn(world, folder);
    await shopOf.move('install', first);
    const started = await world.startLoad();
    load = started;
    await started.progress(10);
    return {
      world,
      shopOf,
      load: started,
      unnoticed: async (work) => {
        const before = world.failed.length;
        await work();
        await started.progress(10);
        expect(world.failed.slice(before)).toEqual([]);
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
