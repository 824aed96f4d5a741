import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectProfile, DisconnectProfile, type Caller } from '@messaging-gateway/contracts';
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

describe('a process that connects one profile a second after a restart', () => {
  let test: SessionsTest;
  let caller: Caller;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { reconnectsPerSecond: 1 });
    caller = await test.organization();
  });
  afterAll(() => test.stop());

  it('leaves one alone that was disconnected before its turn', async () => {
    const [last, , first] = [
      await test.linked(caller, '4915120000103'),
      await test.linked(caller, '4915120000104'),
      await test.linked(caller, '4915120000105'),
    ];
    await test.service.restart();
    await test.reaches(caller, first.id, 'connected');
    const params = { id: last.id };
    expect(await test.service.call(DisconnectProfile, { caller, params })).toMatchObject({
      body: { status: 'disconnected' },
    });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(await test.statusOf(caller, last.id)).toMatchObject({ status: 'disconnected' });
    expect((await test.simulator.statistics()).connections).toBe(2);
  });
});

describe('a process whose way to the network breaks', () => {
  let test: SessionsTest;
  let one: Caller;
  let other: Caller;
  const gapMs = 10_000_000;
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
    // By now all have asked for their turn.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await connected()).toBe(0);
    for (let before = 0; before < phones.length;) {
      test.service.clock.advance(gapMs);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const now = await connected();
      expect(now - before).toBeLessThanOrEqual(1);
      if (now === 2) await test.reaches(other, linked[3]?.id ?? '', 'connected');
      before = now;
    }
  });
});
