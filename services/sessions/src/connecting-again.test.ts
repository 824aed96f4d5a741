import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectProfile, DisconnectProfile, type Caller } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type Made, type SessionsTest } from './testing/sessions-test.ts';

const minute = 60_000;

describe.each([1, 2])('a profile that is disconnected and connected again at once, with %i replicas', (replicas) => {
  let test: SessionsTest;
  let caller: Caller;
  let profile: Made;
  const phone = `491512000070${replicas}`;
  const params = () => ({ caller, params: { id: profile.id } });
  const connect = () => test.service.call(ConnectProfile, params());
  const disconnect = () => test.service.call(DisconnectProfile, params());
  const sockets = async (): Promise<number> =>
    (await test.simulator.phone(phone)).devices.filter(({ connected }) => connected).length;
  const row = async (): Promise<unknown> =>
    (await test.service.sql.query('SELECT status, is_wanted FROM profiles WHERE id = $1', [profile.id]))[0];
  /** Reached by and by, and as it stays: each minute holders compare what they do with what is wanted. */
  const staysAt = async (isUp: boolean): Promise<void> => {
    const wanted = { status: isUp ? 'connected' : 'disconnected', is_wanted: isUp };
    const isThere = async () =>
      JSON.stringify([await row(), await sockets()]) === JSON.stringify([wanted, Number(isUp)]);
    await until(async () => {
      test.service.clock.advance(1_000);
      return isThere();
    });
    for (let look = 0; look < 4; look += 1) {
      test.service.clock.advance(minute);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(isThere);
  };

  beforeAll(async () => {
    test = await sessionsTest(undefined, { isAlone: replicas === 1 }, replicas);
    caller = await test.organization();
    profile = await test.linked(caller, phone);
  });
  afterAll(() => test.stop());

  it('comes back, each time that somebody asked for it last', async () => {
    for (let round = 0; round < 5; round += 1) {
      await disconnect();
      await connect();
      await staysAt(true);
    }
  });

  it('is up and wanted, or neither, when both are asked for at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(round % 2 === 0 ? [disconnect(), connect()] : [connect(), disconnect()]);
      const { is_wanted: isUp } = (await row()) as { is_wanted: boolean };
      await staysAt(isUp);
      await connect();
      await staysAt(true);
    }
  });

  it('comes back while its holder takes it down for the operator', async () => {
    for (let round = 0; round < 6; round += 1) {
      await test.disconnectAsOperator(caller, profile.id);
      // As soon as the holder has begun with it, or a moment after.
      await until(async () => {
        test.service.clock.advance(minute);
        return (await sockets()) === 0;
      });
      for (let moment = 0; moment < round; moment += 1) await new Promise((resolve) => setImmediate(resolve));
      await connect();
      await staysAt(true);
    }
  });

  it('is told connected again at once when its holder had not heard of the operator yet', async () => {
    await test.disconnectAsOperator(caller, profile.id);
    expect(await test.statusOf(caller, profile.id)).toMatchObject({ status: 'disconnected' });
    await connect();
    await test.reaches(caller, profile.id, 'connected');
  });
});
