import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
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
  StaleEpoch,
  type SessionData,
  type SessionDataStore,
} from '../../session-data/session-data-store.ts';

let simulator: Simulator;
let folder: Awaited<ReturnType<typeof sessionsFolder>>;
let store: SessionDataStore;
let profile: TestProfile;
let isAway = false;
/** With what writes fail. */
let refusal: Error | undefined;

/** A store whose reads and writes can fail, as those of a database that is away. */
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
  commit: (changes, patienceMs) => (refusal === undefined ? data.commit(changes, patienceMs) : Promise.reject(refusal)),
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

const phone = '4915120000420';
let strangers = 0;
/** Somebody of whom nothing is known. */
const stranger = (): string => String(4_915_100_000_420 + strangers++);

beforeAll(async () => {
  await simulator.createPhone({ phone });
  await linkByQr(profile, simulator, phone);
}, 600_000);
beforeEach(async () => {
  const contact = stranger();
  await simulator.sendFromContact(contact, { to: phone, text: `before ${contact}` });
  await until(() => texts().includes(`before ${contact}`));
  profile.closed.length = 0;
}, 600_000);

it('a message that comes while session data cannot be read is not confirmed: it comes again', async () => {
  isAway = true;
  await simulator.sendFromContact(stranger(), { to: phone, text: 'meanwhile' });
  await until(() => profile.closed.includes('storage'));
  isAway = false;
  expect(texts()).not.toContain('meanwhile');
  await profile.session.start();
  await until(() => texts().includes('meanwhile'));
}, 600_000);

it.each([
  ['first message of a stranger', 'while session data cannot be written', new SessionDataUnavailable('Away.'), {}],
  ['first message of a stranger', 'when the profile has another holder', new StaleEpoch('profile'), {}],
  [
    'message to be asked for again',
    'while session data cannot be written',
    new SessionDataUnavailable('Away.'),
    { unreadable: true },
  ],
] as const)(
  'the %s that comes %s is not refused: it comes again',
  async (_what, _when, reason, how) => {
    const contact = stranger();
    const text = `of ${contact}`;
    refusal = reason;
    await simulator.sendFromContact(contact, { to: phone, text, ...how });
    const fate = async (): Promise<string | undefined> => (await simulator.written(contact))[0]?.rejected;
    await until(async () => profile.closed.includes('storage') || (await fate()) !== undefined);
    refusal = undefined;
    expect([await fate(), texts().includes(text)]).toEqual([undefined, false]);
    await profile.session.start();
    await until(() => texts().includes(text));
  },
  600_000,
);
