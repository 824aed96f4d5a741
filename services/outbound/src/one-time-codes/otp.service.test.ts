import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SendOtp, SendTenantMail } from '@messaging-gateway/contracts';
import { testMailServer, type TestMailServer } from '@messaging-gateway/mail/testing';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { codeReceiver, type CodeReceiver } from '../testing/code-receiver.ts';
import { laterTest, type LaterTest } from '../testing/later-test.ts';
import { recipient, type TestProfile } from '../testing/outbound-test.ts';

/** Services by their settings: tests use profiles of their own. */
const services = new Map<string, LaterTest>();
const stops: (() => Promise<void>)[] = [];
let test: LaterTest;
let receiver: CodeReceiver;
let mailServer: TestMailServer;
const code = '493817';

async function start(
  durableSend: boolean,
  channels: boolean,
  otpAckTimeoutMs = 1000,
  more: object = {},
): Promise<void> {
  const settings = {
    durableSend,
    otpAckTimeoutMs,
    ...(channels && {
      otpFallbackUrl: receiver.url,
      smtpUrl: `smtp://127.0.0.1:${mailServer.port}`,
      smtpFrom: 'gateway@example.com',
    }),
    ...more,
  };
  const key = JSON.stringify(settings);
  test = services.get(key) ?? (await laterTest(settings));
  services.set(key, test);
}

beforeAll(async () => {
  receiver = await codeReceiver();
  mailServer = await testMailServer();
});
afterAll(async () => {
  for (const service of services.values()) await service.stop();
  receiver.stop();
  await mailServer.stop();
});
beforeEach(() => {
  receiver.called.length = 0;
  mailServer.mails.length = 0;
  receiver.status = 200;
  mailServer.isFull = false;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

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
    await test.receipt(profile);
    let answered = false;
    void answering.then(() => (answered = true));
    await test.passUntil(() => answered, 100);
    expect(await answering).toMatchObject({
      status: 200,
      body: { messageId: resourceId, channel: 'network', status: 'delivered' },
    });
    expect(test.textsOf(profile)).toEqual([`Take ${code}.`]);
    expect([receiver.called, mailServer.mails]).toEqual([[], []]);
  });

  it('takes the secondary channel when no receipt comes', async () => {
    await start(durable, true);
    const profile = await test.profile();
    expect(await otp(profile)).toMatchObject({
      status: 200,
      body: { channel: 'fallback', status: 'delivered', reason: 'NOT_DELIVERED' },
    });
    expect(receiver.called).toEqual([{ to: recipient, code, text: `Your verification code is ${code}.` }]);
    expect(mailServer.mails).toEqual([]);
  });

  it('is not queued for a profile that is not connected', async () => {
    await start(durable, true);
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    expect(await otp(profile)).toMatchObject({ body: { channel: 'fallback', reason: 'PROFILE_NOT_CONNECTED' } });
    await profile.reconnect();
    test.service.clock.advance(60_000);
    expect(test.textsOf(profile)).toEqual([]);
    expect(receiver.called).toHaveLength(1);
  });
});

describe('the secondary channel of a one-time code', () => {
  it('is mail when an address is given, and the other one when that fails', async () => {
    await start(false, true);
    const profile = await test.profile();
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({
      body: { channel: 'fallback', status: 'sent', reason: 'NOT_DELIVERED' },
    });
    expect(mailServer.mails).toMatchObject([{ to: ['ada@example.com'], text: expect.stringContaining(code) }]);
    expect(receiver.called).toEqual([]);
    mailServer.isFull = true;
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({ body: { status: 'delivered' } });
    expect(receiver.called).toHaveLength(1);
  });

  it('that fails, or is missing, leads to 502', async () => {
    await start(false, true);
    receiver.status = 500;
    expect(await otp(await test.profile())).toMatchObject({
      code: 'OTP_DELIVERY_FAILED',
      details: { reason: 'NOT_DELIVERED' },
    });
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

describe('the right to use the secondary channels', () => {
  it('needs a profile that has been linked', async () => {
    await start(false, true);
    const profile = await test.profile();
    test.network.disconnected.add(profile.profileId);
    test.network.unlinked.add(profile.profileId);
    for (const email of [{}, { email: 'ada@example.com' }])
      expect(await otp(profile, email)).toMatchObject({
        code: 'OTP_DELIVERY_FAILED',
        details: { reason: 'PROFILE_NOT_CONNECTED', secondary: 'NEVER_LINKED' },
      });
    expect([mailServer.mails, receiver.called]).toEqual([[], []]);
    // Linked, and unlinked again.
    await profile.reconnect();
    test.network.disconnected.add(profile.profileId);
    expect(await otp(profile)).toMatchObject({ body: { channel: 'fallback' } });
  });

  it('is limited by recipient and organization, each day anew', async () => {
    await start(false, true, 1, { otpFallbackDailyLimit: 3, otpFallbackRecipientDailyLimit: 2 });
    const profile = await test.profile();
    const another = await test.profile();
    const to = (last: string) => ({ to: `49151123450${last}` });
    const taken = { body: { channel: 'fallback' } };
    const full = { code: 'OTP_DELIVERY_FAILED', details: { secondary: 'DAILY_LIMIT_REACHED' } };
    for (const expected of [taken, taken, full]) expect(await otp(profile, to('01'))).toMatchObject(expected);
    for (const zeros of ['0', '00']) expect(await otp(profile, { to: `${zeros}${to('01').to}` })).toMatchObject(full);
    for (const expected of [taken, full]) expect(await otp(profile, to('02'))).toMatchObject(expected);
    expect(await otp(another, to('01'))).toMatchObject(taken);
    expect(receiver.called).toHaveLength(4);
    test.service.clock.advance(86_400_000);
    expect(await otp(profile, to('01'))).toMatchObject(taken);
    const rows = await test.service.sql.query('SELECT * FROM secondary_codes');
    expect(JSON.stringify(rows)).not.toContain('4915112345001');
  });
});

describe('a mail with a one-time code', () => {
  it('is one mail, whatever its text says', async () => {
    await start(false, true);
    const text =
      'hi {{code}}\r\n.\r\nMAIL FROM:<ceo@operator.example>\r\nRCPT TO:<v@x.example>\r\nDATA\r\n\r\nspoof\r\n.\r\nQUIT';
    expect(await otp(await test.profile(), { email: 'victim@bank.example', text })).toMatchObject({
      body: { status: 'sent' },
    });
    expect(mailServer.mails).toMatchObject([{ from: 'gateway@example.com', to: ['victim@bank.example'] }]);
    expect(mailServer.mails[0]?.text.trimEnd()).toBe(text.replace('{{code}}', code));
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
    for (const wrong of ['', '12 34', 'go to x.example', '1'.repeat(17), '-1', '1\r\n'])
      expect(await otp(profile, { code: wrong })).toMatchObject({ details: [{ path: 'body.code' }] });
    expect(await otp(profile, { text: 'Your account is locked.' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.text', message: expect.stringContaining('{{code}}') }],
    });
    expect(test.textsOf(profile)).toEqual([]);
    expect(receiver.called).toEqual([]);
  });

  it('stands nowhere in plain sight', async () => {
    await start(false, true);
    const profile = await test.profile();
    await otp(profile);
    const rows = await test.service.sql.query(`SELECT data::text || metadata::text AS text FROM events`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(code);
  });
});

describe('the mail server of a tenant', () => {
  it('takes a code before that of the installation', async () => {
    await start(false, true);
    const byTenant: object[] = [];
    stops.push(await test.service.fake(SendTenantMail, (mail) => ({ sent: byTenant.push(mail) > 0 })));
    const profile = await test.profile();
    expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({
      body: { channel: 'fallback', status: 'sent' },
    });
    const { organizationId } = profile.caller;
    const text = `Your verification code is ${code}.`;
    expect(byTenant).toEqual([{ organizationId, to: 'ada@example.com', subject: 'Your code', text }]);
    expect([mailServer.mails, receiver.called]).toEqual([[], []]);
  });

  it('is passed by when there is none, or it fails', async () => {
    await start(false, true);
    let hasServer = false;
    stops.push(
      await test.service.fake(SendTenantMail, () => {
        if (hasServer) throw new Error('It refused.');
        return { sent: false };
      }),
    );
    const profile = await test.profile();
    for (hasServer of [false, true])
      expect(await otp(profile, { email: 'ada@example.com' })).toMatchObject({ body: { status: 'sent' } });
    expect(mailServer.mails).toHaveLength(2);
  });
});
