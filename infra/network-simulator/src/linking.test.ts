import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from './index.ts';
import { connect } from './testing/client.ts';
import { until } from './testing/until.ts';

const RESTART_REQUIRED = 515;
const phone = '4915112345678';

describe('linking', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.stop());

  it('takes in a client whose QR code the phone scans, and lets it log in again', async () => {
    const client = connect(simulator);
    const device = await simulator.scan(phone, await client.qr);
    expect(device).toMatchObject({ device: 1, jid: `${phone}:1@s.whatsapp.net` });
    expect(await client.closed).toBe(RESTART_REQUIRED);
    const again = connect(simulator, client.credentials);
    await again.opened;
    expect(again.socket.user).toMatchObject({ id: `${phone}:1@s.whatsapp.net` });
    await until(async () => (await simulator.phone(phone)).devices[0]?.waiting === 0);
    again.end();
    const third = connect(simulator, client.credentials);
    await third.opened;
    third.end();
  });

  it('keeps who is linked over a restart, by a file and the same seed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulated-links-'));
    const kept = { seed: 'the same', linksFile: join(folder, 'links.json') };
    const before = await startSimulator(kept);
    const client = connect(before);
    await before.scan(phone, await client.qr);
    await client.closed;
    await before.stop();
    const after = await startSimulator(kept);
    const again = connect(after, client.credentials);
    await again.opened;
    await after.sendFromContact('4915100000009', { to: phone, text: 'still there?' });
    await until(async () => (await after.written('4915100000009'))[0]?.deliveredAt !== undefined);
    await again.socket.sendMessage('4915100000009@s.whatsapp.net', { text: 'yes' });
    expect(await after.waitForMessages('4915100000009', 1)).toMatchObject([{ text: 'yes' }]);
    await after.unlink(phone);
    await after.stop();
    expect(JSON.parse(readFileSync(kept.linksFile, 'utf8'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('takes in a client whose pairing code is typed into the phone', async () => {
    const client = connect(simulator);
    await client.qr;
    const code = await client.socket.requestPairingCode('4915100000001');
    await expect(simulator.enterPairingCode('4915100000001', 'WRONG123')).rejects.toMatchObject({
      code: 'PAIRING_CODE_WRONG',
    });
    client.end();

    const second = connect(simulator);
    await second.qr;
    const right = await second.socket.requestPairingCode('4915100000001');
    expect(right).not.toBe(code);
    await simulator.enterPairingCode('4915100000001', `${right.slice(0, 4)}-${right.slice(4)}`);
    expect(await second.closed).toBe(RESTART_REQUIRED);
    const again = connect(simulator, second.credentials);
    await again.opened;
    expect((await simulator.phone('4915100000001')).devices).toHaveLength(1);
    again.end();
  });

  it('refuses a pairing code with the code that the account is set to', async () => {
    const careful = '4915100000003';
    await simulator.configureContact(careful, { refusePairingCode: 400 });
    const client = connect(simulator);
    await client.qr;
    const answered = new Promise((resolve) => client.socket.ws.on('CB:iq,type:error', resolve));
    await client.socket.requestPairingCode(careful);
    expect(await answered).toMatchObject({ content: [{ tag: 'error', attrs: { code: '400' } }] });
    client.end();
  });

  it('makes a client replace the secret of its QR code: the code shown so far links nothing any more', async () => {
    const client = connect(simulator);
    const qr = await client.qr;
    const notified = new Promise((resolve) =>
      client.socket.ws.on('CB:notification,type:companion_reg_refresh', resolve),
    );
    await simulator.refreshPairing(qr);
    expect(await notified).toMatchObject({ content: [{ tag: 'companion_reg_refresh' }] });
    await expect(simulator.scan(phone, qr)).rejects.toMatchObject({ code: 'QR_RETIRED' });
    // The plain library keeps the code; a client that replaces the secret is taken in under the same reference.
    client.credentials.creds.advSecretKey = Buffer.alloc(32, 7).toString('base64');
    const renewed = qr.split(',').with(3, client.credentials.creds.advSecretKey).join(',');
    expect(await simulator.scan('4915100000004', renewed)).toMatchObject({ device: 1 });
    expect(await client.closed).toBe(RESTART_REQUIRED);
    await expect(simulator.refreshPairing('2@x,a,b,c,1')).rejects.toMatchObject({ code: 'QR_UNKNOWN' });
  });

  it('asks a client for a passkey where the account wants one, and takes it in no further', async () => {
    const careful = '4915100000002';
    await simulator.configureContact(careful, { passkey: true });
    const client = connect(simulator);
    const asked = new Promise((resolve) =>
      client.socket.ws.on('CB:notification,type:passkey_prologue_request', resolve),
    );
    await expect(simulator.scan(careful, await client.qr)).rejects.toMatchObject({ code: 'PASSKEY_REQUIRED' });
    expect(await asked).toMatchObject({ content: [{ tag: 'passkey_request_options' }] });
    expect((await simulator.phone(careful)).devices).toEqual([]);
    client.end();
  });

  it('refuses QR codes that no client shows', async () => {
    await expect(simulator.scan(phone, 'https://wa.me/settings/linked_devices#2@x,a,b,c,1')).rejects.toMatchObject({
      code: 'QR_UNKNOWN',
    });
  });
});
