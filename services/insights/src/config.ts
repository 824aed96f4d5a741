import { smtpSettings } from '@messaging-gateway/mail';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { publicUrl } from '@messaging-gateway/service';
import { isPoint, vapidFault } from './push/vapid.ts';

const variableOf = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  environment[name]?.trim() || undefined;

/** Settings of insights. */
export const insightsSettings = {
  auditRetentionDays: {
    variable: 'AUDIT_RETENTION_DAYS',
    byDefault: '365',
    means: 'How long entries of the audit are kept, days; fractions are allowed.',
    read: setting.fraction(365),
  },
  statisticsRetentionDays: {
    variable: 'STATISTICS_RETENTION_DAYS',
    byDefault: '730',
    means: 'How long messages are counted, days; fractions are allowed. Days of UTC go as a whole.',
    read: setting.fraction(730),
  },
  notificationRetentionDays: {
    variable: 'NOTIFICATION_RETENTION_DAYS',
    byDefault: '30',
    means: 'How long notifications are kept, days; fractions are allowed.',
    read: setting.fraction(30),
  },
  vapidPublicKey: {
    variable: 'VAPID_PUBLIC_KEY',
    byDefault: 'a pair of keys is made once, and kept encrypted',
    means:
      'Public key of Web Push, a point of P-256 as base64url; goes with VAPID_PRIVATE_KEY. After a change browsers have to subscribe anew.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
      const isUsed = variableOf(environment, 'VAPID_PRIVATE_KEY') !== undefined;
      if (text === undefined && isUsed) throw new Error('is needed with VAPID_PRIVATE_KEY');
      if (text !== undefined && !isPoint(text)) throw new Error('must be a point of P-256, 65 bytes, as base64url');
      return text?.replace(/=+$/, '');
    },
  },
  vapidPrivateKey: {
    variable: 'VAPID_PRIVATE_KEY',
    byDefault: 'none',
    secret: true,
    means: 'Private key of Web Push, 32 bytes as base64url; goes with VAPID_PUBLIC_KEY.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv): string | undefined => {
      const publicKey = variableOf(environment, 'VAPID_PUBLIC_KEY');
      if (text === undefined && publicKey !== undefined) throw new Error('is needed with VAPID_PUBLIC_KEY');
      const fault =
        text === undefined || publicKey === undefined ? undefined : vapidFault({ publicKey, privateKey: text });
      if (fault !== undefined) throw new Error(fault);
      return text?.replace(/=+$/, '');
    },
  },
  vapidSubject: {
    variable: 'VAPID_SUBJECT',
    byDefault: 'the address of `SMTP_FROM`, else `PUBLIC_URL`',
    means: 'Whom push services turn to when pushes make trouble: a URL that begins with `mailto:` or `https://`.',
    read: (text: string | undefined): string | undefined => {
      const isRight = text === undefined || (/^(mailto:[^@\s]+@|https:\/\/)/.test(text) && URL.canParse(text));
      if (!isRight) throw new Error('must be a URL that begins with mailto: or https://');
      return text;
    },
  },
  smtpFrom: smtpSettings.smtpFrom,
  publicUrl,
  allowPrivateTargets: {
    variable: 'WEBHOOK_ALLOW_PRIVATE_TARGETS',
    byDefault: 'false',
    means:
      'Allows URLs given by tenants to lead to loopback, private and reserved addresses; metadata services stay blocked.',
    read: setting.flag(false),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type InsightsSettings = SettingsOf<typeof insightsSettings>;
