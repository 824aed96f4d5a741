import { setting, type SettingsOf, type SettingsTable } from '@messaging-gateway/runtime';
import { mailServer, type Connecting, type MailServer } from './mail-server.ts';

/** The mail server of the installation. It is the operator's: no target guard applies to it. */
export const smtpSettings = {
  smtpUrl: {
    variable: 'SMTP_URL',
    byDefault: 'none',
    means:
      'Mail server of the installation: `smtps://user:password@host:465`, or `smtp://user:password@host:587` (STARTTLS); without ' +
      'a user `smtp://host:25` in the own network. One-time codes with an `email` go there when the network does not deliver them, and ' +
      'notifications of organizations that have none of their own.',
    read: (value: string | undefined): string | undefined => checkedUrl(value),
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
function checkedUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !['smtps:', 'smtp:'].includes(new URL(value).protocol))
    throw new Error('must be a URL that begins with smtps:// or smtp://');
  return value;
}

/** Undefined when there is none. A password goes by TLS only: from the first byte (`smtps://`), or after STARTTLS. */
export function installationMail(
  { smtpUrl, smtpFrom }: SettingsOf<typeof smtpSettings>,
  connecting?: Connecting,
): MailServer | undefined {
  if (smtpUrl === undefined) return undefined;
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  return mailServer(
    {
      host: hostname,
      secure: protocol === 'smtps:',
      ...(port !== '' && { port: Number(port) }),
      ...(username !== '' && { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
      ...(smtpFrom !== undefined && { from: smtpFrom }),
    },
    connecting,
  );
}
