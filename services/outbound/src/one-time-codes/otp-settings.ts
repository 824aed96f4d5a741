import { setting, type SettingsTable } from '@messaging-gateway/runtime';

/** What one-time codes go by. All are the operator's: no target guard applies to them. */
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
    read: (value: string | undefined): string | undefined => checkedUrl(value, ['http:', 'https:']),
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
  smtpUrl: {
    variable: 'SMTP_URL',
    byDefault: 'none',
    means:
      'Mail server of the installation: `smtps://user:password@host:465`, or `smtp://user:password@host:587` (STARTTLS); without ' +
      'a user `smtp://host:25` in the own network. One-time codes with an `email` go there when the network does not deliver them.',
    read: (value: string | undefined): string | undefined => checkedUrl(value, ['smtps:', 'smtp:']),
  },
  smtpFrom: {
    variable: 'SMTP_FROM',
    byDefault: 'none',
    means:
      'Sender of mails, for example `Gateway <gateway@example.com>`; needed with SMTP_URL unless its user is an address.',
    read: setting.optionalText,
  },
} as const satisfies SettingsTable;

/** @throws Error that does not show the value: it may hold a password */
function checkedUrl(value: string | undefined, protocols: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !protocols.includes(url.protocol))
    throw new Error(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  return value;
}
