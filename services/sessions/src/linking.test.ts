import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectionQr, ConnectProfile, type Caller } from '@messaging-gateway/contracts';
import { until } from './testing/engine-harness.ts';
import { sessionsTest, type SessionsTest } from './testing/sessions-test.ts';

let test: SessionsTest;
let caller: Caller;
beforeAll(async () => {
  test = await sessionsTest();
  caller = await test.organization();
});
afterAll(() => test.stop());

const fieldsOf = (qr: string): string[] => qr.slice(qr.indexOf('#') + 1).split(',');

describe('linking', () => {
  it('shows the QR code again with a new secret when the server requests one: only that code links', async () => {
    const profile = await test.create(caller);
    await test.service.call(ConnectProfile, { caller, params: { id: profile.id } });
    const { qr: first } = await test.qrOf(caller, profile);
    await test.simulator.refreshPairing(first);
    const { qr: second } = await until(async () => {
      const shown = await test.qrOf(caller, profile);
      return shown.qr === first ? undefined : shown;
    });
    const [before, after] = [fieldsOf(first), fieldsOf(second)];
    expect(after.with(3, '')).toEqual(before.with(3, ''));
    expect(after[3]).not.toBe(before[3]);
    expect(Buffer.from(after[3] ?? '', 'base64')).toHaveLength(32);
    const shown = (await test.service.published(ConnectionQr)).filter(({ profileId }) => profileId === profile.id);
    expect(shown.map(({ data }) => data.qr)).toEqual([first, second]);
    expect(Date.parse(shown[1]?.data.expiresAt ?? '')).toBeLessThanOrEqual(
      Date.parse(shown[0]?.data.expiresAt ?? '') + 1000,
    );
    await expect(test.simulator.scan('4915112345740', first)).rejects.toMatchObject({ code: 'QR_RETIRED' });
    await test.simulator.scan('4915112345740', second);
    await test.reaches(caller, profile.id, 'connected');
  }, 120_000);

  it('returns a pairing code once the server has accepted it, and its refusal', async () => {
    const phone = '4915112345741';
    const profile = await test.create(caller);
    const pair = () =>
      test.service.call(ConnectProfile, { caller, params: { id: profile.id }, body: { phoneNumber: phone } });
    await test.simulator.configureContact(phone, { refusePairingCode: 400 });
    await expect(pair()).rejects.toMatchObject({ code: 'ENGINE_REFUSED', message: expect.stringContaining('400') });
    await test.simulator.configureContact(phone, { refusePairingCode: 0 });
    const { pairingCode } = (await pair()).body as { pairingCode: string };
    await test.simulator.enterPairingCode(phone, pairingCode);
    await test.reaches(caller, profile.id, 'connected');
  }, 120_000);
});
