import '@messaging-gateway/runtime/silent-signal-library';
import {
  makeWASocket,
  WA_CERT_DETAILS,
  type proto,
  type UserFacingSocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { Simulator } from '../simulator.ts';
import { newCredentials, type Credentials } from './credentials.ts';
import { trusting } from './trusting.ts';
import { SILENT } from './silent-logger.ts';

type SeenMessage = {
  id: string;
  /** LID or phone address of the chat. */
  chat: string;
  /** The chat's other address, where the client knows it. */
  alternative: string | undefined;
  fromMe: boolean;
  text: string;
  /** `notify` arrived while connected, `append` had waited on the server. */
  came: string;
};

/** The real client library, unpatched, connected to a simulator with credentials in memory. */
export type Client = {
  socket: WASocket;
  credentials: Credentials;
  seen: SeenMessage[];
  /** The states that a message went through, as the library numbers them, with the error if it was refused. */
  states(id: string): (number | string)[];
  qr: Promise<string>;
  opened: Promise<void>;
  /** The code with which the connection closed. */
  closed: Promise<number>;
  end(): void;
  /** Messages that the client's application gives the library when one has to be sent again. */
  sent: Map<string, proto.IMessage>;
};

/** Where a simulator is; without `ca` no files can be exchanged. */
type Address = Pick<Simulator, 'url' | 'rootKey'> & Partial<Pick<Simulator, 'ca' | 'mediaHost'>>;

export function connect(
  simulator: Address,
  credentials = newCredentials(),
  more: Partial<UserFacingSocketConfig> = {},
): Client {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(simulator.rootKey, 'hex');
  const sent = new Map<string, proto.IMessage>();
  const socket = makeWASocket({
    auth: credentials,
    waWebSocketUrl: simulator.url,
    logger: SILENT,
    retryRequestDelayMs: 20,
    ...(simulator.ca === undefined ? {} : trusting(simulator.ca, simulator.mediaHost)),
    getMessage: async ({ id }) => sent.get(id ?? ''),
    ...more,
  });
  socket.ev.on('creds.update', (update) => Object.assign(credentials.creds, update));
  return { socket, credentials, sent, end: () => void socket.end(undefined), ...watch(socket), ...observe(socket) };
}

/** Links a new client to a phone by QR and returns it logged in. */
export async function linked(
  simulator: Address & Pick<Simulator, 'scan'>,
  phone: string,
  more?: Partial<UserFacingSocketConfig>,
): Promise<Client> {
  const first = connect(simulator, newCredentials(), more);
  await simulator.scan(phone, await first.qr);
  await first.closed;
  const client = connect(simulator, first.credentials, more);
  await client.opened;
  return client;
}

function watch(socket: WASocket) {
  const qr = Promise.withResolvers<string>();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  socket.ev.on('connection.update', (update) => {
    if (update.qr) qr.resolve(update.qr);
    if (update.connection === 'open') opened.resolve();
    if (update.connection !== 'close') return;
    const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
    closed.resolve(error?.output?.statusCode ?? 0);
  });
  return { qr: qr.promise, opened: opened.promise, closed: closed.promise };
}

function observe(socket: WASocket) {
  const seen: SeenMessage[] = [];
  const states: { id: string; state: number | string }[] = [];
  socket.ev.on('messages.upsert', ({ messages, type }) => {
    for (const { key, message, status, messageStubParameters } of messages) {
      const id = key.id ?? '';
      // What the network says within moments of a send is merged into the message itself.
      const state = messageStubParameters?.[0] ?? status;
      if (key.fromMe && state) states.push({ id, state });
      const text = message?.conversation ?? message?.extendedTextMessage?.text ?? '';
      if (text === '') continue;
      const alternative = key.remoteJidAlt ?? undefined;
      seen.push({ id, chat: key.remoteJid ?? '', alternative, fromMe: key.fromMe === true, text, came: type });
    }
  });
  socket.ev.on('messages.update', (updates) => {
    for (const { key, update } of updates) {
      const state = update.messageStubParameters?.[0] ?? update.status;
      if (state !== undefined && state !== null) states.push({ id: key.id ?? '', state });
    }
  });
  return { seen, states: (id: string) => states.filter((one) => one.id === id).map((one) => one.state) };
}
