import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import type { ServiceModule } from '@messaging-gateway/service';
import { testService, type TestService } from '@messaging-gateway/service/testing';
import type { SessionsSettings } from '../config.ts';
import { sessions } from '../index.ts';
import { engines } from '../engine/feature.ts';
import { sessionData } from '../session-data/feature.ts';
import { holding } from './feature.ts';
import { sessionsFolder, until } from '../testing/engine-harness.ts';
import { testSettings } from '../testing/fakes.ts';
import type { HeldProfile } from './held-profile.ts';
import type { ProfilesHeld } from './profiles-held.ts';

describe('a profile that this process has let go of for another', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let service: TestService;
  let profiles: ProfilesHeld;
  /** Bound at the moment. */
  let routes = 0;
  let binding = async (): Promise<void> => undefined;
  const organizationId = randomUUID();
  /** Holds a profile that is down: the next one may have its place. */
  const take = async (profileId: string): Promise<HeldProfile> => {
    const held = (await profiles.take({
      profileId,
      organizationId,
      engine: undefined,
      isLinked: true,
    })) as HeldProfile;
    held.remain();
    return held;
  };
  const connections = async (): Promise<number> => (await simulator.statistics()).connections;

  beforeAll(async () => {
    [simulator, folder] = await Promise.all([startSimulator(), sessionsFolder()]);
    const module: ServiceModule<SessionsSettings> = {
      ...sessions,
      connect: (tools) => {
        const serveRoute: typeof tools.serveRoute = async (contract, route, handler) => {
          await binding();
          const stop = await tools.serveRoute(contract, route, handler);
          routes += 1;
          return async () => {
            routes -= 1;
            await stop();
          };
        };
        const engine = engines.connect(tools, {});
        const data = sessionData.connect(tools, {});
        const held = holding.connect({ ...tools, serveRoute }, { engines: engine.api, sessions: data.api });
        profiles = held.api?.held as ProfilesHeld;
        const running = [...(data.running ?? []), ...(held.running ?? [])];
        return { name: 'sessions', rows: [], publish: () => [], running };
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
    expect([held.isLeft, profiles.get(profileId)]).toEqual([true, undefined]);
    const asked = { organizationId, profileId, action, phoneNumber: '4915120001801' };
    // Nothing was done: whoever asked may ask again where it is held now.
    const refusal = { code: 'SERVICE_UNAVAILABLE', details: { unseen: true, nothingLeft: true } };
    await expect(held.steer(asked)).rejects.toMatchObject(refusal);
    expect(await connections()).toBe(0);
    expect(next.isLeft).toBe(false);
  });

  it('is answered for by nobody when it was left while its routes were bound', async () => {
    await profiles.forget((await take(randomUUID())).lease.profileId);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    binding = () => {
      begun.resolve();
      return goOn.promise;
    };
    const [profileId, before] = [randomUUID(), routes];
    const taken = take(profileId);
    await begun.promise;
    await profiles.forget(profileId);
    goOn.resolve();
    await expect(taken).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([profiles.get(profileId), routes]).toEqual([undefined, before]);
    binding = async () => undefined;
    expect(await take(profileId)).toMatchObject({ isLeft: false });
  });

  it('can be taken again when a route could not be bound', async () => {
    const profileId = randomUUID();
    let bindings = 0;
    binding = async () => {
      bindings += 1;
      if (bindings === 2) throw new Error('It is served already.');
    };
    await expect(take(profileId)).rejects.toThrow('It is served already.');
    expect(profiles.get(profileId)).toBeUndefined();
    const leases = await service.sql.query('SELECT replica_id FROM leases WHERE key = $1', [profileId]);
    expect(leases).toEqual([{ replica_id: null }]);
    expect((await take(profileId)).isLeft).toBe(false);
  });

  it('makes place for it, which connects alone', async () => {
    const [left, next] = [await take(randomUUID()), await take(randomUUID())];
    const connect = { organizationId, profileId: next.lease.profileId, action: 'connect' } as const;
    await next.steer(connect);
    await left.steer({ ...connect, profileId: left.lease.profileId }).catch(() => undefined);
    await until(async () => (await connections()) === 1);
    expect([left.connection.status, next.connection.isWanted]).toEqual(['disconnected', true]);
  });
});
