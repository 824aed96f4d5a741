import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ChangePassword,
  DisableTwoFactor,
  EnableTwoFactor,
  GetMe,
  Login,
  RenewBackupCodes,
  SetUpTwoFactor,
  VerifyTwoFactor,
  type Caller,
  type Operation,
} from '@messaging-gateway/contracts';
import { Secret, TOTP } from 'otpauth';
import { v7 } from 'uuid';
import { IdentityFixture, newAddress, password, type SignedIn } from '../identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start({ replicas: 2 });
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  );

/** The code that an authenticator app shows. Each call is half a minute later, so that codes are new. */
function nextCode(secret: string): string {
  fixture.service.clock.advance(30_000);
  return codeAt(secret);
}
const codeAt = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: fixture.service.clock.now() });

interface Enrolled {
  readonly email: string;
  readonly caller: Caller;
  readonly secret: string;
  readonly backupCodes: string[];
}

async function enrolled(): Promise<Enrolled> {
  const email = newAddress();
  const caller = await fixture.callerOf(await fixture.register(email));
  const { secret } = (await fixture.service.call(SetUpTwoFactor, { caller })).body as { secret: string };
  const { body } = await fixture.service.call(EnableTwoFactor, { caller, body: { code: nextCode(secret) } });
  return { email, caller, secret, ...(body as { backupCodes: string[] }) };
}

async function challengeOf(email: string, given = password): Promise<string> {
  const { body } = await fixture.service.call(Login, { body: { email, password: given } });
  expect(body).toEqual({ requires2FA: true, challengeToken: expect.any(String) });
  return (body as { challengeToken: string }).challengeToken;
}
const verify = async (challengeToken: string, code: string, more: object = {}): Promise<SignedIn> =>
  (await fixture.service.call(VerifyTwoFactor, { body: { challengeToken, code }, ...more })).body as SignedIn;
const me = async (caller: Caller) => (await fixture.service.call(GetMe, { caller })).body;

describe('enrolling', () => {
  it('shows a secret in three forms, and ten backup codes once a code has proved it', async () => {
    const caller = await fixture.newCaller();
    const { body } = await fixture.service.call(SetUpTwoFactor, { caller });
    const { secret, otpauthUrl, qrCodeDataUrl } = body as Record<string, string>;
    expect(otpauthUrl).toContain(`secret=${secret}`);
    expect(qrCodeDataUrl).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(await me(caller)).toMatchObject({ twoFactorEnabled: false, backupCodesRemaining: 0 });
    const enable = (code: string) => fixture.service.call(EnableTwoFactor, { caller, body: { code } });
    await expect(enable('000000')).rejects.toEqual(refusal('FORBIDDEN'));
    const answer = (await enable(nextCode(secret ?? ''))).body as { enabled: boolean; backupCodes: string[] };
    expect(answer).toEqual({ enabled: true, backupCodes: expect.any(Array) });
    expect(answer.backupCodes).toHaveLength(10);
    expect(await me(caller)).toMatchObject({ twoFactorEnabled: true, backupCodesRemaining: 10 });
    await expect(enable(nextCode(secret ?? ''))).rejects.toEqual(refusal('CONFLICT'));
    await expect(fixture.service.call(SetUpTwoFactor, { caller })).rejects.toEqual(refusal('CONFLICT'));
  });

  it('begins with the setup, and the last secret counts', async () => {
    const caller = await fixture.newCaller();
    const enable = (code: string) => fixture.service.call(EnableTwoFactor, { caller, body: { code } });
    await expect(enable('000000')).rejects.toEqual(refusal('CONFLICT'));
    const [first, second] = [
      (await fixture.service.call(SetUpTwoFactor, { caller })).body as { secret: string },
      (await fixture.service.call(SetUpTwoFactor, { caller })).body as { secret: string },
    ];
    await expect(enable(nextCode(first.secret))).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(enable(nextCode(second.secret))).resolves.toMatchObject({ status: 200 });
  });

  it('leaves neither secret nor codes in the database in the clear', async () => {
    const { secret, backupCodes } = await enrolled();
    const { sql } = fixture.service;
    const tables = await sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'identity' AND table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const found = JSON.stringify(await sql.query(`SELECT * FROM identity.${name}`));
      for (const text of [secret, ...backupCodes]) expect(found).not.toContain(text);
    }
  });
});

describe('logging in with a second factor', () => {
  it('needs password and code', async () => {
    const { email, secret, caller } = await enrolled();
    await expect(fixture.logIn(email, 'a wrong password')).rejects.toEqual(refusal('UNAUTHORIZED'));
    const challenge = await challengeOf(email);
    await expect(verify(challenge, '000000')).rejects.toEqual(refusal('UNAUTHORIZED'));
    const signedIn = await verify(challenge, nextCode(secret));
    expect(signedIn.user).toMatchObject({ id: caller.userId, twoFactorEnabled: true, backupCodesRemaining: 10 });
    await expect(fixture.callerOf(signedIn)).resolves.toMatchObject({ userId: caller.userId });
    await expect(fixture.refresh(signedIn.refreshToken)).resolves.toMatchObject({ expiresIn: 604_800 });
  });

  it('takes a backup code in its stead, each once', async () => {
    const { email, backupCodes, caller } = await enrolled();
    const [first = '', second = ''] = backupCodes;
    await verify(await challengeOf(email), first);
    await expect(verify(await challengeOf(email), first)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await verify(await challengeOf(email), second.toUpperCase().replace('-', ' '));
    expect(await me(caller)).toMatchObject({ backupCodesRemaining: 8 });
  });

  it('takes each code once, also when two replicas are given it at the same moment', async () => {
    const { email, secret, backupCodes } = await enrolled();
    for (let round = 0; round < 4; round++) {
      const challenges = await Promise.all([challengeOf(email), challengeOf(email)]);
      const code = round % 2 === 0 ? nextCode(secret) : (backupCodes[round] ?? '');
      const codes = await Promise.all(challenges.map((challenge) => codeOf(verify(challenge, code))));
      expect(codes.toSorted()).toEqual(['UNAUTHORIZED', 'answered']);
    }
  });

  it('starts one session for a challenge, and goes on with it when the same request comes again', async () => {
    const { email, secret } = await enrolled();
    const challenge = await challengeOf(email);
    const resourceId = v7();
    const code = nextCode(secret);
    const first = await verify(challenge, code, { resourceId });
    const again = await verify(challenge, code, { resourceId, repeated: true });
    expect(again.refreshToken).toBe(first.refreshToken);
    await expect(verify(challenge, code)).rejects.toEqual(refusal('UNAUTHORIZED'));
    const later = await verify(challenge, nextCode(secret));
    expect(later.refreshToken).toBe(first.refreshToken);
  });

  it('is over five minutes after the password was given', async () => {
    const { email, backupCodes } = await enrolled();
    const challenge = await challengeOf(email);
    fixture.service.clock.advance(240_000);
    await verify(challenge, backupCodes[0] ?? '');
    const late = await challengeOf(email);
    fixture.service.clock.advance(301_000);
    await expect(verify(late, backupCodes[1] ?? '')).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(verify(await challengeOf(email), backupCodes[1] ?? '')).resolves.toBeDefined();
  });

  it('is over when the password changes meanwhile', async () => {
    const { email, backupCodes, caller } = await enrolled();
    const challenge = await challengeOf(email);
    const newPassword = 'another horse battery';
    await fixture.service.call(ChangePassword, { caller, body: { currentPassword: password, newPassword } });
    await expect(verify(challenge, backupCodes[0] ?? '')).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(verify(await challengeOf(email, newPassword), backupCodes[0] ?? '')).resolves.toBeDefined();
  });

  it('looks at no code after ten wrong ones in a quarter of an hour, whichever replica they are given to', async () => {
    const { email, backupCodes } = await enrolled();
    const challenge = await challengeOf(email);
    const wrong = await Promise.all(Array.from({ length: 14 }, () => codeOf(verify(challenge, '000000'))));
    expect(wrong.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'RATE_LIMITED'),
      ...Array.from({ length: 10 }, () => 'UNAUTHORIZED'),
    ]);
    const refused = await verify(challenge, backupCodes[0] ?? '').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': expect.any(String) } });
    const { headers } = refused as { headers: Record<string, string> };
    expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
    expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(900);
    fixture.service.clock.advance(900_000);
    await expect(verify(await challengeOf(email), backupCodes[0] ?? '')).resolves.toBeDefined();
  });
});

describe('a person who is logged in', () => {
  it('makes other backup codes with a code; the old ones stop working', async () => {
    const { email, caller, secret, backupCodes } = await enrolled();
    const renew = (code: string) => fixture.service.call(RenewBackupCodes, { caller, body: { code } });
    await expect(renew('000000')).rejects.toEqual(refusal('FORBIDDEN'));
    const { body } = await renew(nextCode(secret));
    const renewed = (body as { backupCodes: string[] }).backupCodes;
    expect(renewed).toHaveLength(10);
    await expect(verify(await challengeOf(email), backupCodes[0] ?? '')).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(verify(await challengeOf(email), renewed[0] ?? '')).resolves.toBeDefined();
  });

  it('turns it off with password and code; the secret is void', async () => {
    const { email, caller, secret, backupCodes } = await enrolled();
    const disable = (given: string, code: string) =>
      fixture.service.call(DisableTwoFactor, { caller, body: { password: given, code } });
    await expect(disable('a wrong password', backupCodes[0] ?? '')).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(disable(password, '000000')).rejects.toEqual(refusal('FORBIDDEN'));
    const open = await challengeOf(email);
    expect((await disable(password, backupCodes[0] ?? '')).body).toEqual({ enabled: false });
    expect(await me(caller)).toMatchObject({ twoFactorEnabled: false, backupCodesRemaining: 0 });
    await expect(verify(open, nextCode(secret))).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(disable(password, nextCode(secret))).rejects.toEqual(refusal('CONFLICT'));
    await expect(fixture.logIn(email)).resolves.toMatchObject({ user: { twoFactorEnabled: false } });
  });

  it('is answered when the same request comes again, as its answer was lost', async () => {
    const email = newAddress();
    const caller = await fixture.callerOf(await fixture.register(email));
    const { secret } = (await fixture.service.call(SetUpTwoFactor, { caller })).body as { secret: string };
    const twice = async (contract: Operation, body: object): Promise<string[]> => {
      const request = { caller, body, resourceId: v7() };
      const first = await fixture.service.call(contract, request);
      const second = await fixture.service.call(contract, { ...request, repeated: true });
      const codesOf = (reply: { body?: unknown }) => (reply.body as { backupCodes?: string[] }).backupCodes ?? [];
      const [lost = '', shown = ''] = [codesOf(first)[0], codesOf(second)[0]];
      if (contract === DisableTwoFactor) return [];
      await expect(verify(await challengeOf(email), lost)).rejects.toEqual(refusal('UNAUTHORIZED'));
      await expect(verify(await challengeOf(email), shown)).resolves.toBeDefined();
      return codesOf(second).slice(1);
    };
    await twice(EnableTwoFactor, { code: nextCode(secret) });
    const [code] = await twice(RenewBackupCodes, { code: nextCode(secret) });
    await twice(DisableTwoFactor, { password, code });
    expect(await me(caller)).toMatchObject({ twoFactorEnabled: false, backupCodesRemaining: 0 });
  });

  it('has the same view of it when views are made anew', async () => {
    const { email, caller, backupCodes } = await enrolled();
    await verify(await challengeOf(email), backupCodes[0] ?? '');
    await fixture.service.rebuildViews();
    expect(await me(caller)).toMatchObject({ twoFactorEnabled: true, backupCodesRemaining: 9 });
  });
});
