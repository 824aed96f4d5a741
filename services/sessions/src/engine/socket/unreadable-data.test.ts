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
import {
  SessionDataUnavailable,
  type SessionData,
  type SessionDataStore,
} from '../../session-data/session-data-store.ts';

let simulator: Simulator;
let folder: Awaited<ReturnType<typeof sessionsFolder>>;
let store: SessionDataStore;
let profile: TestProfile;
let isAway = false;

/** A store whose reads can fail, as those of a database that is away. */
const failing = (whole: SessionDataStore): SessionDataStore => ({
  holding: (profileIds, table) => whole.holding(profileIds, table),
  profiles: () => whole.profiles(),
  erase: (profileId, erasing) => whole.erase(profileId, erasing),
  close: () => whole.close(),
  open: async (profileId, epoch) => readable(await whole.open(profileId, epoch)),
});

const readable = (data: SessionData): SessionData => ({
  profileId: data.profileId,
  epoch: data.epoch,
  isLocal: data.isLocal,
  read: (table, ids) =>
    isAway ? Promise.reject(new SessionDataUnavailable('Nothing can be read.')) : data.read(table, ids),
  scan: (table, after, limit) => data.scan(table, after, limit),
  last: (table) => data.last(table),
  commit: (changes, patienceMs) => data.commit(changes, patienceMs),
  settled: () => data.settled(),
});

beforeAll(async () => {
  simulator = await startSimulator();
  folder = await sessionsFolder();
  store = failing(await openStore(folder.directory));
  profile = await testProfile(simulator, store);
});
afterAll(async () => {
  await profile.session.stop();
  await simulator.stop();
  await store.close();
  await folder.remove();
});

const texts = (): string => profile.facts.map(({ data }) => JSON.stringify(data)).join(' ');

it('a message that comes while session data cannot be read is not confirmed: it comes again', async () => {
  const [phone, contact] = ['4915120000420', '4915100000420'];
  await simulator.createPhone({ phone });
  await linkByQr(profile, simulator, phone);
  await simulator.sendFromContact(contact, { to: phone, text: 'before' });
  await until(() => texts().includes('before'));
  isAway = true;
  await simulator.sendFromContact(contact, { to: phone, text: 'meanwhile' });
  await until(() => profile.closed.includes('storage'));
  isAway = false;
  expect(texts()).not.toContain('meanwhile');
  await profile.session.start();
  await until(() => texts().includes('meanwhile'));
}, 600_000);
