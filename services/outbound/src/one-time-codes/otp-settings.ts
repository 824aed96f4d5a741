import { smtpSettings } from '@messaging-gateway/mail';
import { setting, type SettingsTable } from '@messaging-gateway/runtime';

/** Settings of one-time codes. All are the operator's: no target guard applies to them. */
export const otpSettings = {
  otpAckTimeoutMs: {
    variable: 'OTP_ACK_TIMEOUT_MS',
    byDefault: '8000',
    means:
      'How long a one-time code waits for its delivery receipt before it takes the secondary channel, milliseconds.',
    read: setting.integer(8000, 1, 50_000),
  },
  otpFallbackUrl: {
    variable: 'OTP_FALLBACK_URL',
    byDefault: 'none',
    means: 'Secondary channel of one-time codes: called by POST `{ to, code, text }`; 2xx means delivered.',
    read: (value: string | undefined): string | undefined => checkedUrl(value),
  },
  otpFallbackDailyLimit: {
    variable: 'OTP_FALLBACK_DAILY_LIMIT',
    byDefault: '1000',
    means:
      'One-time codes of an organization that take OTP_FALLBACK_URL or SMTP_URL in a day (UTC), at most. Its own mail server is not counted.',
    read: setting.integer(1000, 0, 100_000_000),
  },
  otpFallbackRecipientDailyLimit: {
    variable: 'OTP_FALLBACK_RECIPIENT_DAILY_LIMIT',
    byDefault: '10',
    means: 'The same for one recipient of an organization, by phone number and by mail address.',
    read: setting.integer(10, 0, 1_000_000),
  },
  ...smtpSettings,
} as const satisfies SettingsTable;

/** @throws Error that does not show the value: it may hold a password */
function checkedUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !['http:', 'https:'].includes(new URL(value).protocol))
    throw new Error('must be a URL that begins with http:// or https://');
  return value;
}
