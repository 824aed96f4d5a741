import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ConnectProfile,
  CreateLinkPage,
  GetProfileQr,
  GetProfileStatus,
  ReadLinkPage,
  type Caller,
} from '@messaging-gateway/contracts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

describe('requests that wait for a connection, of two replicas', () => {
  let test: SessionsTest;
  let caller: Caller;
  let passing: NodeJS.Timeout;
  beforeAll(async () => {
    test = await sessionsTest(undefined, { isAlone: false }, 2);
    caller = await test.organization();
    // What another replica has written is seen when the journal is looked at the next time.
    passing = setInterval(() => test.service.clock.advance(100), 50);
  });
  afterAll(async () => {
    clearInterval(passing);
    await test.stop();
  });

  it('are answered by the one that holds the profile and by the other one', async () => {
    const { id } = await test.create(caller);
    const of = { caller, params: { id } };
    const { body } = await test.service.call(CreateLinkPage, { ...of, body: { expiresInMinutes: 5 } });
    const token = (body as { url: string }).url.split('#')[1] ?? '';
    const page = async (seen?: string) =>
      (await test.service.call(ReadLinkPage, { body: { token, ...(seen !== undefined && { seen, wait: 25 }) } }))
        .body as { version: string; status: string };
    // They have their turns.
    const each = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all([ask(), ask()]);
    await test.service.call(ConnectProfile, of);
    const shown = (await each(() => test.service.call(GetProfileQr, { ...of, query: { wait: 60 } }))).map(
      (reply) => (reply.body as { qr: string }).qr,
    );
    expect(shown[0]).toBe(shown[1]);
    const { version } = await page();
    const news = each(() => page(version));
    const linked = each(() => test.service.call(GetProfileStatus, { ...of, query: { wait: 60, until: 'connected' } }));
    await test.simulator.scan('4915120000320', shown[0] ?? '');
    expect((await linked).map((reply) => (reply.body as { status: string }).status)).toEqual([
      'connected',
      'connected',
    ]);
    expect((await news).filter((state) => state.version === version)).toEqual([]);
  });
});
