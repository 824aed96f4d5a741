import { isIP, Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** Where a mail server is, and who sends there. */
export interface MailServerAt {
  /** Name or address: its certificate must be for this one. */
  readonly host: string;
  /** Default: 465 when `secure`, else 587 with a user, and 25 without. */
  readonly port?: number;
  /** TLS from the first byte. Else by STARTTLS, which a server has to offer where there is a user, and at port 587. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
  /** Default: the user. */
  readonly from?: string;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** All throw an Error that says why, and no secret. */
export interface MailServer {
  send(mail: Mail): Promise<void>;
  /** Connects, and logs in where there is a user. */
  tryOut(): Promise<void>;
}

/** Until the server has taken the mail, milliseconds. */
const usualTimeout = 10_000;
const submission = 587;

export interface Connecting {
  /** Which address of the host the connection goes to; it goes to no other. Absent: any that its name leads to. */
  readonly addressOf?: (host: string) => Promise<string>;
  /** For all of it, milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * A mail server. Passwords go by TLS only, to a server whose certificate is checked; without a user what the server offers is
 * used, and nothing is checked.
 */
export function mailServer(at: MailServerAt, connecting: Connecting = {}): MailServer {
  return {
    send: ({ to, subject, text }) => {
      const from = at.from ?? at.user ?? `gateway@${at.host}`;
      if ([from, to, subject].some((line) => /\p{Cc}/u.test(line)))
        return Promise.reject(new Error('Control characters stand in an address or in the subject.'));
      return connected(at, connecting, (transport) => transport.sendMail({ from, to, subject, text: lines(text) }));
    },
    tryOut: () => connected(at, connecting, (transport) => transport.verify()),
  };
}

/** A lone CR or LF is the end of a line too: what servers take for one differs. */
const lines = (text: string): string => text.replaceAll(/\r\n?|\n/g, '\r\n');

type Transport = Awaited<ReturnType<typeof transportTo>>;

/** One connection for one piece of work, which ends in time whatever the server says how slowly. */
async function connected(
  at: MailServerAt,
  { addressOf, timeoutMs = usualTimeout }: Connecting,
  work: (transport: Transport) => Promise<unknown>,
): Promise<void> {
  const socket = new Socket();
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    socket.destroy();
    tooLate.reject(new Error('It did not answer in time.'));
  }, timeoutMs);
  const done = async (): Promise<void> => {
    const host = at.host.replaceAll(/[[\]]/g, '');
    const address = (await addressOf?.(host)) ?? host;
    await work(await transportTo({ ...at, host }, address, socket, timeoutMs));
  };
  try {
    await Promise.race([done(), tooLate.promise]);
  } finally {
    clearTimeout(timer);
    socket.destroySoon();
  }
}

async function transportTo(at: MailServerAt, address: string, socket: Socket, timeoutMs: number) {
  const { host, secure, user, password = '' } = at;
  const port = at.port ?? (secure ? 465 : user === undefined ? 25 : submission);
  const mustEncrypt = user !== undefined || port === submission;
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: address,
    port,
    secure,
    socket,
    requireTLS: !secure && mustEncrypt,
    tls: {
      ...(isIP(host) === 0 && { servername: host }),
      // Of the name, not of the address that the connection goes to.
      checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
      rejectUnauthorized: secure || mustEncrypt,
    },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user !== undefined && { auth: { user, pass: password } }),
  });
}
