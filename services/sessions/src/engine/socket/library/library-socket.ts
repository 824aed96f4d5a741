import '@messaging-gateway/runtime/silent-signal-library';
import {
  makeWASocket,
  proto,
  type AuthenticationCreds,
  type CacheStore,
  type SocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { Logger } from '@messaging-gateway/runtime';
import type { SessionData } from '../../../session-data/session-data-store.ts';
import type { GroupCache } from '../groups/group-cache.ts';
import { libraryLogger, libraryTransactions } from './adaptations.ts';
import { AppStateQueries } from './app-state-queries.ts';
import type { LibraryKeys, userDevices } from '../signal/signal-state.ts';

export interface LibraryParts {
  readonly network: Partial<SocketConfig>;
  readonly credentials: AuthenticationCreds;
  readonly keys: LibraryKeys;
  readonly data: SessionData;
  readonly devices: ReturnType<typeof userDevices>;
  readonly groups: GroupCache;
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
  readonly log: Logger;
}

const queryTimeoutMs = 15_000;

const nothing = (): undefined => undefined;
/** The phone counts as asked for every message that cannot be read: the library would hold up all else for two seconds each. */
const askedAlready: CacheStore = {
  get: (() => true) as CacheStore['get'],
  set: nothing,
  del: nothing,
  flushAll: nothing,
};

/** One connection of the client library, with everything that it would keep in memory replaced by what is on the disk. */
export function openLibrarySocket(parts: LibraryParts): WASocket {
  const { data } = parts;
  const appState = new AppStateQueries();
  const keys = appState.limited(parts.keys);
  const socket = makeWASocket({
    ...parts.network,
    auth: {
      creds: parts.credentials,
      keys: { get: (type, ids) => keys.get(type, ids), set: (values) => keys.set(values) },
    },
    makeSignalRepository: parts.makeSignalRepository,
    logger: libraryLogger(parts.log),
    browser: ['Mac OS', 'Chrome', '14.4.1'],
    // The session watches over the connection itself. A limit here would cost a timer and a stack trace for each frame.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: queryTimeoutMs,
    emitOwnEvents: false,
    markOnlineOnConnect: false,
    generateHighQualityLinkPreview: false,
    syncFullHistory: false,
    // Sent messages are in the store, where a restart does not lose them.
    enableRecentMessageCache: false,
    getMessage: async ({ id }) => {
      const [content] = id === undefined || id === null ? [] : await data.read('content', [id]);
      return content === undefined ? undefined : proto.Message.decode(content);
    },
    userDevicesCache: parts.devices,
    cachedGroupMetadata: (id) => parts.groups.metadata(id),
    // Asking the phone for what cannot be read holds up all inbound for two seconds each time: say that it was asked.
    // The sender is asked in any case.
    placeholderResendCache: askedAlready,
    // Each undecryptable message holds up all others of the socket for so long.
    retryRequestDelayMs: 10,
  });
  Object.assign(socket.authState.keys, libraryTransactions(keys));
  for (const answer of ['CB:iq,,sync', 'CB:iq,type:error']) socket.ws.on(answer, appState.answered);
  // One at a time over all chats: a message that waits would hold up everybody's. Chats keep their order without it (`receiving/stanzas.ts`).
  socket.messageMutex.mutex = async (work) => work();
  return socket;
}

/** Ends the connection at once; nothing that is on its way out leaves any more. */
export function cutOff(socket: WASocket): void {
  const { socket: raw } = socket.ws as unknown as { socket: { terminate(): void } | null };
  raw?.terminate();
  void socket.end(undefined).catch(() => undefined);
}
