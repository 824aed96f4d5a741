import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectProfile, DisconnectProfile, type Caller } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type Made, type SessionsTest } from './testing/sessions-test.ts';

describe('a process that may hold one connection', () => {
  let test: SessionsTest;
  let caller: Caller;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { profilesPerProcess: 1 });
    caller = await test.organization();
  });
  afterAll(() => test.stop());

  const connect = (id: string) => test.service.call(ConnectProfile, { caller, params: { id } });
  const disconnect = (id: string) => test.service.call(DisconnectProfile, { caller, params: { id } });

  it('has a place for another one when the first is down, and for the first again', async () => {
    const first = await test.linked(caller, '4915120000101');
    await disconnect(first.id);
    const second = await test.linked(caller, '4915120000102');
    expect((await test.simulator.statistics()).connections).toBe(1);
    await disconnect(second.id);
    await connect(first.id);
    await test.reaches(caller, first.id, 'connected');
    expect(await test.deliver(caller, first.id, '4915100000001', 'again')).toMatchObject({ outcome: 'acknowledged' });
    expect((await test.simulator.statistics()).connections).toBe(1);
  });
});

/** From one login to the next, milliseconds: the turns come when the test moves the clock, not with time. */
const gapMs = 10_000_000;
/** What goes on with a login holds the next one up by at most this long, milliseconds. */
const debtMs = 1_000;
/** Retries of a lost connection begin within this time, milliseconds. */
const retryMs = 1_000;
const moment = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('a process that connects one profile after the other after a restart', () => {
  let test: SessionsTest;
  let caller: Caller;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { reconnectsPerSecond: 1000 / gapMs });
    caller = await test.organization();
  });
  const linked = (phone: string): Promise<Made> => {
    // The turn of the link before is over.
    test.service.clock.advance(10 * gapMs);
    return test.linked(caller, phone);
  };
  afterAll(() => test.stop());

  it('leaves one alone that was disconnected before its turn', async () => {
    const phones = ['4915120000103', '4915120000104', '4915120000105'];
    const profiles: (Made & { readonly phone: string })[] = [];
    for (const phone of phones) profiles.push({ ...(await linked(phone)), phone });
    test.service.clock.advance(10 * gapMs);
    await test.service.restart();
    // Which of them has the first turn is open.
    const isConnected = async ({ id, phone }: (typeof profiles)[number]) =>
      (await test.statusOf(caller, id)).status === 'connected' &&
      (await test.simulator.phone(phone)).devices.some(({ connected }) => connected);
    const first = await until(async () => {
      const connected = await Promise.all(profiles.map(isConnected));
      return profiles[connected.indexOf(true)];
    });
    const connections = async (): Promise<number> => (await test.simulator.statistics()).connections;
    const [last, second] = profiles.filter((profile) => profile !== first);
    const params = { id: last?.id ?? '' };
    expect(await test.service.call(DisconnectProfile, { caller, params })).toMatchObject({
      body: { status: 'disconnected' },
    });
    // The first one asks for another turn, behind that of the last one.
    await test.simulator.drop(first.phone);
    await test.reaches(caller, first.id, 'reconnecting');
    test.service.clock.advance(retryMs);
    await moment();
    expect(await connections()).toBe(0);
    for (const number of [1, 2]) {
      test.service.clock.advance(gapMs + debtMs);
      await until(async () => (await connections()) >= number);
    }
    for (const id of [second?.id ?? '', first.id]) await test.reaches(caller, id, 'connected');
    expect(await test.statusOf(caller, params.id)).toMatchObject({ status: 'disconnected' });
    expect(await connections()).toBe(2);
  });
});

describe('a process whose way to the network breaks', () => {
  let test: SessionsTest;
  let one: Caller;
  let other: Caller;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { reconnectsPerSecond: 1000 / gapMs });
    [one, other] = await Promise.all([test.organization(), test.organization()]);
  });
  afterAll(() => test.stop());

  const connected = async (): Promise<number> => (await test.simulator.statistics()).connections;

  it('logs its profiles in one after the other, of each organization in turn', async () => {
    const phones = ['4915120000111', '4915120000112', '4915120000113', '4915120000114'];
    const linked: Made[] = [];
    for (const [index, phone] of phones.entries()) {
      // The turns of the link and of the login that follows it are over.
      test.service.clock.advance(10 * gapMs);
      linked.push(await test.linked(index === 3 ? other : one, phone));
    }
    await Promise.all(phones.map((phone) => test.simulator.drop(phone)));
    await Promise.all(linked.map(({ id }, index) => test.reaches(index === 3 ? other : one, id, 'reconnecting')));
    test.service.clock.advance(retryMs);
    // By now all have asked for their turn.
    await moment();
    expect(await connected()).toBe(0);
    for (let number = 1; number <= phones.length; number += 1) {
      test.service.clock.advance(gapMs + debtMs);
      await until(async () => (await connected()) >= number);
      await moment();
      expect(await connected()).toBe(number);
      if (number === 2) await test.reaches(other, linked[3]?.id ?? '', 'connected');
    }
  });
});
