import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import type { SessionDataStore } from '../../session-data/session-data-store.ts';
import { linkByQr, openStore, sessionsFolder, testProfile, type TestProfile } from '../../testing/engine-harness.ts';

describe('the state of an account that the network does not hand over', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let profile: TestProfile;
  beforeAll(async () => {
    simulator = await startSimulator();
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    profile = await testProfile(simulator, store);
    await linkByQr(profile, simulator, '4915112345750');
  }, 120_000);
  afterAll(async () => {
    await profile.session.stop();
    await store.close();
    await simulator.stop();
    await folder.remove();
  });

  it('is queried three times in a row, and again later', async () => {
    await profile.session.people('', 10);
    const before = (await simulator.statistics()).appStateQueries;
    await simulator.configureNetwork({ answerAppState: false });
    await expect(profile.session.people('', 10)).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT' });
    expect((await simulator.statistics()).appStateQueries - before).toBe(3);
    await simulator.configureNetwork({ answerAppState: true });
    await profile.session.people('', 10);
    expect((await simulator.statistics()).appStateQueries - before).toBe(4);
  }, 180_000);
});
