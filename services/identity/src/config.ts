import { smtpSettings } from '@messaging-gateway/mail';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

const duration =
  (fallback: string) =>
  (text: string | undefined): number => {
    const read = setting.duration(fallback)(text);
    if (read < 1000) throw new Error('must be at least a second');
    return read;
  };

/** Settings of identity. */
export const identitySettings = {
  jwtSecret: {
    variable: 'JWT_SECRET',
    means: 'Signs access tokens; at least 32 characters.',
    secret: true,
    read: setting.strongSecret(),
  },
  jwtRefreshSecret: {
    variable: 'JWT_REFRESH_SECRET',
    means:
      'Secret that signs refresh tokens, at least 32 characters, independent of `JWT_SECRET`; made and kept like it.',
    secret: true,
    read: setting.strongSecret('JWT_SECRET'),
  },
  jwtExpiresIn: {
    variable: 'JWT_EXPIRES_IN',
    byDefault: '7d',
    means: 'How long an access token is valid: a number followed by d, h or m.',
    read: duration('7d'),
  },
  jwtRefreshExpiresIn: {
    variable: 'JWT_REFRESH_EXPIRES_IN',
    byDefault: '30d',
    means: 'How long a refresh token is valid: a number followed by d, h or m.',
    read: duration('30d'),
  },
  registration: {
    variable: 'REGISTRATION',
    byDefault: 'open',
    means: '`closed`: nobody can register once the first user exists.',
    read: setting.word(['open', 'closed'], 'open'),
  },
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
  ...smtpSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type IdentitySettings = SettingsOf<typeof identitySettings>;
