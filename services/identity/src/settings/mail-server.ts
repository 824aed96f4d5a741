import { allowedAddress, type TargetPolicy } from '@messaging-gateway/target-guard';

export interface MailServerSettings {
  readonly host: string;
  /** Default: 465 with TLS, else 25. */
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly from?: string;
  readonly secure: boolean;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail server that a tenant has named. All throw an Error that says why, and no secret. */
export interface MailServer {
  send(mail: Mail): Promise<void>;
  /** Connects, and logs in where there is a user. */
  tryOut(): Promise<void>;
}

/** Until the server has answered, milliseconds. */
const timeout = 10_000;

/** The address is looked up and checked before each connection, and the connection goes to that very address. */
export function mailServer(settings: MailServerSettings, policy: TargetPolicy): MailServer {
  const { host, secure, user, password, from } = settings;
  const connection = async () => ({
    host: await allowedAddress(host, policy),
    port: settings.port ?? (secure ? 465 : 25),
    // Given as an object, the certificate is checked, against the name and not the address.
    ssl: secure && { servername: host },
    timeout,
    ...(user !== undefined && { user, password: password ?? '' }),
  });
  return {
    send: async ({ to, subject, text }) => {
      const { Message, SMTPClient } = await import('emailjs');
      const client = new SMTPClient(await connection());
      try {
        await client.sendAsync(new Message({ from: from ?? user ?? `gateway@${host}`, to, subject, text }));
      } finally {
        client.smtp.close();
      }
    },
    tryOut: async () => {
      const { SMTPConnection } = await import('emailjs');
      const smtp = new SMTPConnection(await connection());
      try {
        await answered((callback) => smtp.connect(callback));
        await answered((callback) =>
          user === undefined ? smtp.ehlo_or_helo_if_needed(callback) : smtp.login(callback),
        );
      } finally {
        smtp.close();
      }
    },
  };
}

type Callback = (error: Error | null | undefined, ...rest: unknown[]) => void;

const answered = (ask: (callback: Callback) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it does not answer')), timeout);
    ask((error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
