import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SendOtp, SendTenantMail, SessionReceipt } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { SMTPServer } from 'smtp-server';
import { v7 } from 'uuid';
import { laterTest, type LaterTest } from '../testing/later-test.ts';
import { recipient, type TestProfile } from '../testing/outbound-test.ts';

let test: LaterTest;
let receiver: Server;
let mailServer: SMTPServer;
const called: unknown[] = [];
const mails: string[] = [];
let answers = 200;
let mailWorks = true;
const code = '493817';

async function start(durableSend: boolean, channels: boolean, otpAckTimeoutMs = 8000): Promise<void> {
  const smtpPort = (mailServer.server.address() as AddressInfo).port;
  const httpPort = (receiver.address() as AddressInfo).port;
  test = await laterTest({
    durableSend,
    otpAckTimeoutMs,
    ...(channels && {
      otpFallbackUrl: `http://127.0.0.1:${httpPort}/otp`,
      smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
      smtpFrom: 'gateway@example.com',
    }),
  });
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      called.push(JSON.parse(body));
      response.writeHead(answers).end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      let mail = '';
      stream.on('data', (piece) => (mail += String(piece)));
      stream.on('end', () => {
        if (mailWorks) mails.push(mail);
        done(mailWorks ? null : new Error('No room.'));
      });
    },
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer.server, 'listening');
});
afterAll(async () => {
  receiver.close();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});
beforeEach(() => {
  called.length = 0;
  mails.length = 0;
  answers = 200;
  mailWorks = true;
});
afterEach(() => test.stop());

type Answer = { readonly status?: number; readonly body?: unknown; readonly code?: string; readonly details?: unknown };

/** Sends a code, and lets time pass until it is answered. */
async function otp(profile: TestProfile, fields: object = {}, call: object = {}): Promise<Answer> {
  const body = { profileId: profile.profileId, to: recipient, code, ...fields };
  let answered: Answer | undefined;
  test.ask(profile, SendOtp, { body, ...call }).then(
    (reply) => (answered = reply),
    (error: Answer) => (answered = error),
  );
  await test.passUntil(() => answered !== undefined, 100);
  return answered as Answer;
}
async function receipt({ profileId, caller }: TestProfile): Promise<void> {
  const handed = test.network.handed.find((one) => one.profileId === profileId);
  const at = new Date(test.service.clock.now()).toISOString();
  await test.service.emit(
    SessionReceipt,
    { profileId, networkMessageId: handed?.networkMessageId ?? '', status: 'delivered', at },
    { organizationId: caller.organizationId, profileId },
  );
}

describe.each([
  ['synchronous', false],
  ['durable', true],
])('a one-time code in %s mode', (_, durable) => {
  it('is answered once its delivery is confirmed', async () => {
    // The receipt comes in time however slow the machine is.
    await start(durable, true, 40_000);
    const profile = await test.profile();
    const resourceId = v7();
    const answering = test.ask(profile, SendOtp, {
      body: { profileId: profile.profileId, to: recipient, code, text: 'Take {{code}}.' },
      resourceId,
    });
    await test.passUntil(() => test.textsOf(profile).length === 1, 1);
    await receipt(profile);
    let answered = false;
    void answering.then(() => (answered = true));
    await test.passUntil(() => answered, 100);
    expect(await answering).toMatchObject({
      status: 200,
      body: { messageId: resourceId, channel: 'network', status: 'delivered' },
    });
    expect(test.textsOf(profile)).toEqual([`Take ${code}.`]);
    expect([called, mails]).toEqual([[], []]);
  });

  it('takes the secondary channel when no receipt comes', async () => {
    await start(durable, true);
    const profile = await test.profile();
    expect(await otp(profile)).toMatchObject({
      status: 200,
      body: { channel: 'fallback', status: 'delivered', reason: 'NOT_DELIVERED' },
    });
    expect(called).toEqual([{ to: recipient, code, text: `Your verification code is ${code}.` }]);
    expect(mails).toEqual([]);
  });

  it('is not queued for a profile that is not connected', async () => {
    await start(durable, true);
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    expect(await otp(profile)).toMatchObject({ body: { channel: 'fallback', reason: 'PROFILE_NOT_CONNECTED' } });
    await profile.reconnect();
    test.service.clock.advance(60_000);
    expect(test.textsOf(profile)).toEqual([]);
    expect(called).toHaveLength(1);
  });
});

describe('the secondary channel of a one-time code', () => {
  it('is mail when an address is given, and the other one when that fails', async () => {
    await start(false, true);
    const profile = await test.profile();
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({
      body: { channel: 'fallback', status: 'sent', reason: 'NOT_DELIVERED' },
    });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('To: ada@example.com');
    expect(mails[0]).toContain(code);
    expect(called).toEqual([]);
    mailWorks = false;
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({ body: { status: 'delivered' } });
    expect(called).toHaveLength(1);
  });

  it('that fails, or is missing, leads to 502', async () => {
    await start(false, true);
    answers = 500;
    expect(await otp(await test.profile())).toMatchObject({
      code: 'OTP_DELIVERY_FAILED',
      details: { reason: 'NOT_DELIVERED' },
    });
    await test.stop();
    await start(true, false);
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({
      code: 'OTP_DELIVERY_FAILED',
      details: { reason: 'PROFILE_NOT_CONNECTED' },
    });
    expect(await otp(await test.profile({ dailyMessageLimit: 0 }))).toMatchObject({ code: 'DAILY_LIMIT_REACHED' });
  });
});

describe('a one-time code', () => {
  it('is not sent for others, and not with faults', async () => {
    await start(false, true);
    const profile = await test.profile();
    expect(await otp({ ...profile, caller: testCaller() })).toMatchObject({ code: 'NOT_FOUND' });
    const keyOfOther = { ...profile, caller: { ...profile.caller, profileIds: [v7()] } };
    expect(await otp(keyOfOther)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await otp(profile, { email: 'nobody' })).toMatchObject({ details: [{ path: 'body.email' }] });
    expect(await otp(profile, { code: '' })).toMatchObject({ details: [{ path: 'body.code' }] });
    expect(called).toEqual([]);
  });

  it('stands nowhere in plain sight', async () => {
    await start(false, true);
    const profile = await test.profile();
    await otp(profile);
    const rows = await test.service.sql.query(`select data::text || metadata::text as text from events`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('the mail server of a tenant', () => {
  it('takes a code before that of the installation', async () => {
    await start(false, true);
    const byTenant: object[] = [];
    await test.service.fake(SendTenantMail, (mail) => ({ sent: byTenant.push(mail) > 0 }));
    const profile = await test.profile();
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({
      body: { channel: 'fallback', status: 'sent' },
    });
    const { organizationId } = profile.caller;
    const text = `Your verification code is ${code}.`;
    expect(byTenant).toEqual([{ organizationId, to: 'ada@example.com', subject: 'Your code', text }]);
    expect([mails, called]).toEqual([[], []]);
  });

  it('is passed by when there is none, or it fails', async () => {
    await start(false, true);
    let hasServer = false;
    await test.service.fake(SendTenantMail, () => {
      if (hasServer) throw new Error('It refused.');
      return { sent: false };
    });
    const profile = await test.profile();
    for (hasServer of [false, true])
      expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({ body: { status: 'sent' } });
    expect(mails).toHaveLength(2);
  });
});
