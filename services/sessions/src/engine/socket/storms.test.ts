import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('much at once', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let profile: TestProfile;
  const phone = '4915120000400';
  const contact = '4915100000400';
  const historySize = 10_000;
  const contacts = Array.from({ length: 100 }, (_, number) => `4915100004${String(number).padStart(3, '0')}`);
  const past = (): TestProfile['facts'] =>
    profile.facts.filter((fact) => fact.kind === 'message' && fact.data.delivery === 'history');

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

  it('a history of 10,000 messages holds up neither the link nor a send, and comes in whole', async () => {
    await simulator.createPhone({ phone });
    await simulator.givePast(phone, { contacts, messages: historySize });
    await linkByQr(profile, simulator, phone);
    expect(await profile.send(contact, 'while the history comes in')).toEqual({ outcome: 'acknowledged' });
    const before = past().length;
    await until(() => past().length >= historySize, 90_000);
    expect(past()).toHaveLength(historySize);
    expect(before).toBeLessThan(historySize);
  }, 120_000);

  it('a storm of messages that nobody can read leaves little behind, and those that can be read come in', async () => {
    const kept = profile.facts.length;
    global.gc?.();
    const memory = process.memoryUsage().heapUsed;
    await simulator.storm(contact, { to: phone, count: 500 });
    await simulator.sendFromContact('4915100000401', { to: phone, text: 'after the storm' });
    await until(() => profile.facts.some((fact) => JSON.stringify(fact.data).includes('after the storm')), 90_000);
    expect(profile.facts.length - kept).toBe(1);
    expect(await profile.send(contact, 'still here')).toEqual({ outcome: 'acknowledged' });
    global.gc?.();
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(100 * 1024 * 1024);
  }, 120_000);
});
