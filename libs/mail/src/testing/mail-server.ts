import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { newProtection } from '@messaging-gateway/testing';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, without the dots that were put in on the way. */
  readonly raw: string;
  /** Text of the mail, decoded. */
  readonly text: string;
}

export interface TestMailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Passwords that it was given. */
  readonly passwords: (string | undefined)[];
  /** Takes no mail from now on, or does again. */
  isFull: boolean;
  stop(): Promise<void>;
}

export interface TestMailServerOptions {
  /** The password to log in with; another one is refused. Absent: nobody has to log in. */
  readonly password?: string;
  /** Default: STARTTLS, with a certificate for 127.0.0.1 and localhost that this process trusts until the server stops. */
  readonly tls?: 'starttls' | 'implicit' | 'none' | 'untrusted';
}

/** A mail server at 127.0.0.1. */
export async function testMailServer({
  password,
  tls = 'starttls',
}: TestMailServerOptions = {}): Promise<TestMailServer> {
  const { key, certificate, authority } = newProtection();
  const trustedBefore = getCACertificates('default');
  const mails: ReceivedMail[] = [];
  const passwords: (string | undefined)[] = [];
  const server = new SMTPServer({
    key,
    cert: certificate,
    secure: tls === 'implicit',
    ...(tls === 'none' && { disabledCommands: ['STARTTLS'] }),
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => {
      passwords.push(auth.password ?? undefined);
      if (auth.password === password) done(null, { user: auth.username });
      else done(new Error('Wrong password.'));
    },
    onData: (stream, { envelope }, done) => {
      let raw = '';
      stream.on('data', (piece) => (raw += String(piece)));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        if (!received.isFull) mails.push({ from, to, raw, text: textOf(raw) });
        done(received.isFull ? new Error('No room.') : null);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  if (tls !== 'untrusted') setDefaultCACertificates([...trustedBefore, authority]);
  const received: TestMailServer = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    passwords,
    isFull: false,
    stop: () => {
      setDefaultCACertificates(trustedBefore);
      return new Promise((resolve) => server.close(resolve));
    },
  };
  return received;
}

/** Of a mail that is one text. */
function textOf(raw: string): string {
  const end = raw.indexOf('\r\n\r\n');
  const [head, body] = [raw.slice(0, end), raw.slice(end + 4)];
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
