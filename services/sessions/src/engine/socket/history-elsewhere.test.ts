import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import {
  linkByQr,
  openStore,
  sessionsFolder,
  testProfile,
  until,
  type TestProfile,
} from '../../testing/engine-harness.ts';
import type { SessionDataStore } from '../../session-data/session-data-store.ts';

let simulator: Simulator;
let folder: Awaited<ReturnType<typeof sessionsFolder>>;
let store: SessionDataStore;
let profile: TestProfile;

beforeAll(async () => {
  simulator = await startSimulator();
  folder = await sessionsFolder();
  store = await openStore(folder.directory);
  profile = await testProfile(simulator, store);
});
afterAll(async () => {
  await profile.session.stop();
  await simulator.stop();
  await store.close();
  await folder.remove();
});

it('history that cannot be fetched, as its notice leads to another network, hurts nothing', async () => {
  const phone = '4915120000410';
  await simulator.createPhone({ phone });
  await simulator.givePast(phone, { contacts: ['4915100000411'], messages: 200, via: 'host' });
  await linkByQr(profile, simulator, phone);
  expect(await profile.send('4915100000410', 'all the same')).toEqual({ outcome: 'acknowledged' });
  await simulator.sendFromContact('4915100000410', { to: phone, text: 'and back' });
  await until(() => profile.facts.some((fact) => JSON.stringify(fact.data).includes('and back')));
});
