import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import type { ServiceModule } from '@messaging-gateway/service';
import { testService, type TestService } from '@messaging-gateway/service/testing';
import type { SessionsSettings } from '../config.ts';
import { sessions } from '../index.ts';
import { partsOf } from '../parts.ts';
import { sessionsFolder, until } from '../testing/engine-harness.ts';
import { testSettings } from '../testing/fakes.ts';
import type { Held } from './holder.ts';

describe('a profile that this process has let go of for another', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let service: TestService;
  let parts: ReturnType<typeof partsOf>;
  const organizationId = randomUUID();
  /** Holds a profile that is down: the next one may have its room. */
  const take = async (profileId: string): Promise<Held> => {
    const held = (await parts.held.take({ profileId, organizationId, engine: undefined })) as Held;
    held.remain();
    return held;
  };
  const connections = async (): Promise<number> => (await simulator.statistics()).connections;

  beforeAll(async () => {
    [simulator, folder] = await Promise.all([startSimulator(), sessionsFolder()]);
    const module: ServiceModule<SessionsSettings> = {
      ...sessions,
      connect: (tools) => {
        parts = partsOf(tools);
        return { name: 'sessions', rows: [], publish: () => [], running: parts.running };
      },
    };
    const settings = { ...testSettings(simulator, folder.directory), profilesPerProcess: 1 };
    service = await testService(module, { settings });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([simulator.stop(), folder.remove()]);
  });

  it.each(['connect', 'pair', 'disconnect', 'unlink'] as const)('is not asked to %s here any more', async (action) => {
    const profileId = randomUUID();
    const held = await take(profileId);
    const next = await take(randomUUID());
    expect([held.isLeft, parts.held.get(profileId)]).toEqual([true, undefined]);
    const asked = { organizationId, profileId, action, phoneNumber: '4915120001801' };
    // Nothing was done: whoever asked may ask again where it is held now.
    const refusal = { code: 'SERVICE_UNAVAILABLE', details: { unseen: true, nothingLeft: true } };
    await expect(held.steer(asked)).rejects.toMatchObject(refusal);
    expect(await connections()).toBe(0);
    expect(next.isLeft).toBe(false);
  });

  it('makes room for it, which connects alone', async () => {
    const [left, next] = [await take(randomUUID()), await take(randomUUID())];
    const connect = { organizationId, profileId: next.lease.profileId, action: 'connect' } as const;
    await next.steer(connect);
    await left.steer({ ...connect, profileId: left.lease.profileId }).catch(() => undefined);
    await until(async () => (await connections()) === 1);
    expect([left.connection.status, next.connection.isWanted]).toEqual(['disconnected', true]);
  });
});
