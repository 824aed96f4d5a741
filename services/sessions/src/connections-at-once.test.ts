import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectProfile, DisconnectProfile, type Caller } from '@messaging-gateway/contracts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

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

  it('has room for another one when the first is down, and for the first again', async () => {
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
