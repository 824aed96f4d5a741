import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { BackupCodes, GivenCode, GivenPassword, SignedIn } from './shapes.ts';

export const VerifyTwoFactor = operation({
  name: 'VerifyTwoFactor',
  owner: 'identity',
  method: 'POST',
  path: '/auth/2fa/verify',
  access: 'public',
  tag: 'Auth',
  browserSession: 'begins',
  audit: { action: 'auth.login', resourceType: 'session' },
  summary: 'Verify a 2FA challenge',
  means:
    'Completes a login that answered `requires2FA`, within 5 minutes and with the code of an authenticator app or a backup code. ' +
    'Each code counts once. After 10 wrong codes in 15 minutes a user is refused for a while.',
  body: closed({ challengeToken: Type.String({ minLength: 1, maxLength: 4096 }), code: GivenCode }),
  answers: { 200: { body: SignedIn, means: 'Signed in.' } },
  errors: ['UNAUTHORIZED'],
  throttle: 'auth',
  allowedInDemo: true,
  example: { challengeToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl', code: '123456' },
});

export const SetUpTwoFactor = operation({
  name: 'SetUpTwoFactor',
  owner: 'identity',
  method: 'POST',
  path: '/auth/2fa/setup',
  access: 'own:write',
  tag: 'Auth',
  audit: 'two_factor.set_up',
  summary: 'Begin 2FA enrollment',
  means:
    'Makes a secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). Nothing changes for logins until it is enabled; ' +
    'asked again, it makes another secret, and the one before is void.',
  answers: {
    200: {
      body: closed({
        secret: Type.String({ description: 'Base32' }),
        otpauthUrl: Type.String(),
        qrCodeDataUrl: Type.String({ description: '`otpauthUrl` as a PNG' }),
      }),
      means: 'The secret, shown this once.',
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
});

export const EnableTwoFactor = operation({
  name: 'EnableTwoFactor',
  owner: 'identity',
  method: 'POST',
  path: '/auth/2fa/enable',
  access: 'own:write',
  tag: 'Auth',
  summary: 'Confirm and enable 2FA',
  means:
    'Proves by a code that the authenticator app has the secret. From then on logins need a code. A wrong one is answered with 403.',
  body: closed({ code: GivenCode }),
  answers: {
    200: {
      body: closed({ enabled: Type.Literal(true), backupCodes: BackupCodes }),
      means: 'Two-factor login is on. The backup codes are shown this once.',
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { code: '123456' },
});

export const DisableTwoFactor = operation({
  name: 'DisableTwoFactor',
  owner: 'identity',
  method: 'POST',
  path: '/auth/2fa/disable',
  access: 'own:write',
  throttle: 'password',
  tag: 'Auth',
  summary: 'Disable 2FA',
  means: 'Needs the password and a code, or a backup code; a wrong one is answered with 403. The secret is void.',
  body: closed({ password: GivenPassword, code: GivenCode }),
  answers: { 200: { body: closed({ enabled: Type.Literal(false) }), means: 'Two-factor login is off.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { password: 'correct horse battery', code: '123456' },
});

export const RenewBackupCodes = operation({
  name: 'RenewBackupCodes',
  owner: 'identity',
  method: 'POST',
  path: '/auth/2fa/backup-codes',
  access: 'own:write',
  tag: 'Auth',
  audit: 'two_factor.renew_backup_codes',
  summary: 'Generate backup codes',
  means: 'Makes ten new backup codes; the old ones stop working. A wrong code is answered with 403.',
  body: closed({ code: GivenCode }),
  answers: { 200: { body: closed({ backupCodes: BackupCodes }), means: 'The codes, shown this once.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { code: '123456' },
});
