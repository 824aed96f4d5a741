import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Answer } from '@messaging-gateway/testing';
import jwt from 'jsonwebtoken';
import { Secret, TOTP } from 'otpauth';
import type { World } from './world.ts';

const password = 'correct horse battery';

/** Settings of a gateway whose database and secrets come from its environment. */
export type ExternalSettings = Readonly<
  Record<'DATABASE_URL' | 'JWT_SECRET' | 'JWT_REFRESH_SECRET' | 'ENCRYPTION_KEY', string>
>;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly twoFactorEnabled: boolean; readonly backupCodesRemaining: number };
  readonly mustChangePassword?: boolean;
}

let world: World;
let settings: ExternalSettings;
let registrations = 0;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A call with a credential, or without one. */
const call = <Body = Record<string, unknown>>(
  method: Method,
  path: string,
  body?: unknown,
  credential?: string,
): Promise<Answer<Body>> =>
  world.gateway.call<Body>(method, path, body, credential === undefined ? {} : { credential });
const logIn = (email: string, given = password) => call<Tokens>('POST', '/auth/login', { email, password: given });
const me = (token: string) => call<Tokens['user']>('GET', '/auth/me', undefined, token);

/** Entries of the audit of somebody's organization, once it has so many of each of these. */
const auditHas = (token: string, wanted: Readonly<Record<string, number>>): Promise<Record<string, number>> =>
  eventually(async () => {
    const { body } = await call<{ items: { action: string }[] }>('GET', '/audit/logs?limit=200', undefined, token);
    const counts: Record<string, number> = {};
    for (const { action } of body.items) counts[action] = (counts[action] ?? 0) + 1;
    return Object.entries(wanted).every(([action, count]) => (counts[action] ?? 0) >= count) ? counts : undefined;
  });

async function somebody(): Promise<Tokens & { email: string }> {
  registrations += 1;
  const email = `someone-${registrations}@example.com`;
  const { body, status } = await call<Tokens>('POST', '/auth/register', { email, password, name: 'Ada' });
  expect(status).toBe(201);
  return { email, ...body };
}

/** Runs `npm run user`. In a distributed installation brokers stand in its environment. */
function user(environment: Readonly<Record<string, string>>, ...args: string[]) {
  const file = fileURLToPath(new URL('../src/operator/main.ts', import.meta.url));
  const env = { PATH: process.env['PATH'] ?? '', ...settings, ...environment };
  return new Promise<{ code: number; output: string; complaint: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, 'user', ...args],
      { env },
      (error, output, complaint) => resolve({ code: Number(error?.code ?? 0), output, complaint }),
    );
  });
}

/** Second factors, preferences, temporary passwords and tokens. */
export function people(at: () => World, settingsAt: () => ExternalSettings): void {
  describe('people of an installation', () => {
    beforeAll(() => {
      world = at();
      settings = settingsAt();
    });

    describe('a person with two-factor login', () => {
      it('enrols, logs in by app and by backup code, and turns it off', async () => {
        const { email, accessToken } = await somebody();
        const setup = await call<Record<string, string>>('POST', '/auth/2fa/setup', undefined, accessToken);
        expect([setup.status, Object.keys(setup.body).toSorted()]).toEqual([
          200,
          ['otpauthUrl', 'qrCodeDataUrl', 'secret'],
        ]);
        const app = new TOTP({ secret: Secret.fromBase32(setup.body['secret'] ?? '') });
        const give = (path: string, body: object) => call<{ backupCodes: string[] }>('POST', path, body, accessToken);
        expect((await give('/auth/2fa/enable', { code: '000000' })).status).toBe(403);
        const enabled = await give('/auth/2fa/enable', { code: app.generate() });
        expect([enabled.status, enabled.body.backupCodes.length]).toEqual([200, 10]);

        const challenge = await call<{ challengeToken: string }>('POST', '/auth/login', { email, password });
        expect(challenge.body).toEqual({ requires2FA: true, challengeToken: expect.any(String) });
        const { challengeToken } = challenge.body;
        expect((await me(challengeToken)).status).toBe(401);
        expect((await call('POST', '/auth/refresh', { refreshToken: challengeToken })).status).toBe(401);
        const verify = (code: string) => call<Tokens>('POST', '/auth/2fa/verify', { challengeToken, code });
        expect((await verify('000000')).status).toBe(401);
        const later = app.generate({ timestamp: Date.now() + 30_000 });
        const signedIn = await verify(later);
        expect([signedIn.status, signedIn.body.user.twoFactorEnabled]).toEqual([200, true]);
        expect((await me(signedIn.body.accessToken)).body.backupCodesRemaining).toBe(10);
        expect((await verify(later)).status).toBe(401);

        const [first = '', second = '', third = ''] = enabled.body.backupCodes;
        const renewed = await give('/auth/2fa/backup-codes', { code: first });
        expect([renewed.status, renewed.body.backupCodes.length]).toEqual([200, 10]);
        expect((await give('/auth/2fa/disable', { password, code: second })).status).toBe(403);
        const [valid = ''] = renewed.body.backupCodes;
        expect((await give('/auth/2fa/disable', { password: 'wrong', code: valid })).status).toBe(403);
        const disabled = await give('/auth/2fa/disable', { password, code: valid });
        expect([disabled.status, disabled.body]).toEqual([200, { enabled: false }]);
        expect((await verify(third)).status).toBe(401);
        expect((await logIn(email)).body.user.twoFactorEnabled).toBe(false);
        const all = {
          'auth.register': 1,
          'two_factor.set_up': 1,
          'two_factor.enable': 1,
          'auth.login_failed': 2,
          'auth.login': 2,
          'two_factor.renew_backup_codes': 1,
          'two_factor.disable': 1,
        };
        expect(await auditHas(accessToken, all)).toEqual(all);
      }, 600_000);

      it('does so as a person only, not with an API key', async () => {
        const { accessToken } = await somebody();
        const { body } = await call<{ key: string }>('POST', '/api-keys', { name: 'key' }, accessToken);
        expect((await call('POST', '/auth/2fa/setup', undefined, body.key)).status).toBe(403);
        expect((await call('PATCH', '/auth/preferences', {}, body.key)).status).toBe(403);
        expect((await call('GET', '/auth/preferences', undefined, body.key)).status).toBe(200);
      }, 600_000);
    });

    describe('preferences', () => {
      it('are the own ones, and change as far as given', async () => {
        const [ada, bob] = [await somebody(), await somebody()];
        const read = async ({ accessToken }: Tokens) =>
          (await call('GET', '/auth/preferences', undefined, accessToken)).body;
        const before = await read(ada);
        expect(before).toEqual({
          notifyOnMessage: true,
          notifyOnConnect: true,
          notifyOnDisconnect: true,
          emailNotifications: false,
          pushNotifications: true,
        });
        const change = (body: object) => call('PATCH', '/auth/preferences', body, ada.accessToken);
        const changed = await change({ notifyOnMessage: false, emailNotifications: true });
        expect([changed.status, changed.body]).toEqual([
          200,
          { ...before, notifyOnMessage: false, emailNotifications: true },
        ]);
        expect((await change({})).body).toEqual(changed.body);
        expect(await read(ada)).toEqual(changed.body);
        expect(await read(bob)).toEqual(before);
        for (const wrong of [{ notifyOnMessage: 'no' }, { notifyOnEverything: true }, { pushNotifications: null }])
          expect((await change(wrong)).status).toBe(400);
      }, 600_000);
    });

    describe('npm run user -- reset-password', () => {
      const reset = async (email: string, environment = {}) => {
        const { code, output, complaint } = await user(environment, 'reset-password', email);
        expect([code, complaint]).toEqual([0, '']);
        return /^Temporary password: (\S+)$/m.exec(output)?.[1] ?? '';
      };

      it('ends all sessions at once, and the printed password opens three routes until it is changed', async () => {
        const { email, accessToken, refreshToken } = await somebody();
        for (let count = 0; count < 3; count++) expect((await me(accessToken)).status).toBe(200);
        const temporary = await reset(email.toUpperCase());
        expect(temporary.length).toBeGreaterThanOrEqual(12);
        expect((await me(accessToken)).status).toBe(401);
        expect((await call('POST', '/auth/refresh', { refreshToken })).status).toBe(401);
        expect((await logIn(email)).status).toBe(401);

        const { body: signedIn } = await logIn(email, temporary);
        expect(signedIn.mustChangePassword).toBe(true);
        const token = signedIn.accessToken;
        expect((await me(token)).status).toBe(200);
        for (const path of ['/auth/sessions', '/auth/preferences', '/profiles', '/api-keys'])
          expect([path, (await call('GET', path, undefined, token)).status]).toEqual([path, 403]);
        const { body: other } = await logIn(email, temporary);
        expect((await call('POST', '/auth/logout', undefined, other.accessToken)).status).toBe(204);

        const body = { currentPassword: temporary, newPassword: 'another horse battery' };
        expect((await call('POST', '/auth/change-password', body, token)).status).toBe(200);
        expect((await call('GET', '/auth/sessions', undefined, token)).status).toBe(200);
        expect((await logIn(email, temporary)).status).toBe(401);
        expect((await logIn(email, 'another horse battery')).body.mustChangePassword).toBeUndefined();
        expect(await auditHas(token, { 'user.reset_password': 1 })).toMatchObject({ 'user.reset_password': 1 });
      }, 600_000);

      it('does the same in an installation with brokers', async () => {
        const { email, accessToken } = await somebody();
        const temporary = await reset(email, { AMQP_URL: 'amqp://127.0.0.1:1' });
        expect((await me(accessToken)).status).toBe(401);
        expect((await logIn(email, temporary)).body.mustChangePassword).toBe(true);
      }, 600_000);

      it('says in one line what is wrong', async () => {
        const nobody = await user({}, 'reset-password', 'nobody@example.com');
        expect([nobody.code, nobody.output, nobody.complaint]).toEqual([1, '', 'Nobody has this address.\n']);
      }, 600_000);
    });

    describe('tokens', () => {
      it('are good for what they were made for only', async () => {
        const { accessToken, refreshToken } = await somebody();
        const refresh = async (token: string) => (await call('POST', '/auth/refresh', { refreshToken: token })).status;
        expect([(await me(refreshToken)).status, await refresh(accessToken)]).toEqual([401, 401]);
        const claims = jwt.decode(refreshToken) as jwt.JwtPayload;
        const sign = (changed: object, secret: string, algorithm: jwt.Algorithm = 'HS256') =>
          jwt.sign({ ...claims, ...changed }, secret, { algorithm });
        const { JWT_SECRET, JWT_REFRESH_SECRET } = settings;
        const access = jwt.decode(accessToken) as jwt.JwtPayload;
        for (const forged of [
          jwt.sign({ ...access, typ: 'refresh' }, JWT_SECRET),
          jwt.sign({ ...access, typ: 'challenge' }, JWT_SECRET),
          sign({ typ: 'access' }, JWT_REFRESH_SECRET),
        ])
          expect((await me(forged)).status).toBe(401);
        for (const forged of [
          sign({}, JWT_SECRET),
          sign({}, `${JWT_REFRESH_SECRET} `),
          sign({}, '', 'none'),
          sign({}, JWT_REFRESH_SECRET, 'HS384'),
          sign({ typ: 'access' }, JWT_REFRESH_SECRET),
          sign({ exp: Math.floor(Date.now() / 1000) - 1 }, JWT_REFRESH_SECRET),
          `${refreshToken.slice(0, -2)}xx`,
        ])
          expect(await refresh(forged)).toBe(401);
        expect([(await me(accessToken)).status, await refresh(refreshToken)]).toEqual([200, 200]);
      }, 600_000);
    });
  });
}
