import type {
  AuthenticationCreds,
  BinaryNode,
  ConnectionState,
  SocketConfig,
  WAMessageKey,
  WASocket,
} from '@whiskeysockets/baileys';
import type { Clock, Logger, Slots } from '@messaging-gateway/runtime';
import { Refused } from '@messaging-gateway/messaging';
import {
  type Closing,
  type EngineSession,
  type HandedOver,
  type KnownNumber,
  type NetworkHealth,
  notConnected,
  type OlderMessages,
  type PeoplePage,
  type SendOrder,
  type SendOutcome,
  type SessionParts,
  type TypingState,
} from '../engine.ts';
import type { MakePreview } from '../../link-preview/link-previews.ts';
import { Acknowledgements, sendThrough } from './sending/sending.ts';
import { nameOf, selfOf, toNetwork } from './wire-format/addresses.ts';
import { closeCause } from './close-cause.ts';
import { credentialsFor, isLinked, makePreKeys, saveCredentials, storedCredentials } from './signal/credentials.ts';
import { durableRepository } from './signal/durable-repository.ts';
import { HistoryRequests, olderMessages, takeHistory } from './receiving/history.ts';
import { type GroupCache, groupCache } from './groups/group-cache.ts';
import { renewSenderKey } from './groups/sender-key.ts';
import { SocketGroups } from './groups/socket-groups.ts';
import { Inbound } from './receiving/inbound.ts';
import { cutOff, openLibrarySocket } from './library/library-socket.ts';
import { libraryLogger } from './library/adaptations.ts';
import { notifiedHealth, queryHealth } from './receiving/account-health.ts';
import { acceptedPairingCode, acknowledge, isRefresh, newSecret, withSecret } from './pairing.ts';
import { SocketPresence } from './receiving/presence.ts';
import { onNetwork, People, readAddressBook, takePeople } from './receiving/people.ts';
import { Preparing } from './sending/outgoing-message.ts';
import { SignalState, deviceListChanged, libraryKeys, userDevices, watchedData } from './signal/signal-state.ts';
import { watchStanzas } from './receiving/stanzas.ts';

export interface SocketSessionParts extends SessionParts {
  readonly network: Partial<SocketConfig>;
  readonly slots: Slots;
  readonly preview: MakePreview;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The library's first QR code is valid for a minute, each later one for 20 s. */
const firstQrMs = 60_000;
const laterQrMs = 20_000;
/** A connection that shows neither a QR code nor a login in this time is given up. */
const silentMs = 30_000;

/** One profile on the client library. */
export class SocketSession implements EngineSession {
  readonly #parts: SocketSessionParts;
  readonly #state: SignalState;
  readonly #devices: ReturnType<typeof userDevices>;
  readonly #preparing: Preparing;
  #connection: Connection | undefined;
  #firstQr = awaited();
  #preKeys: Promise<void> = Promise.resolve();
  readonly #people: People;
  readonly #historyRequests = new HistoryRequests();
  readonly #groupCache: GroupCache;
  readonly groups: SocketGroups;

  constructor(parts: SocketSessionParts) {
    const data = watchedData(parts.data, (error) => this.#close({ cause: 'storage', detail: error.message }));
    this.#parts = { ...parts, data };
    this.#state = new SignalState(data);
    this.#preparing = new Preparing({ ...parts, logger: libraryLogger(parts.log) });
    this.#people = new People({
      data,
      state: this.#state,
      failed: (error) => this.#close({ cause: 'storage', detail: error.message }),
    });
    this.#devices = userDevices(this.#state, () => parts.clock.now());
    this.#groupCache = groupCache(this.#parts, this.#state, () => this.#opened().socket);
    this.groups = new SocketGroups(() => this.#opened(), this.#groupCache);
  }

  async start(): Promise<void> {
    if (this.#connection !== undefined) return;
    await this.#preKeys;
    const credentials = await credentialsFor(this.#state);
    this.#firstQr = awaited();
    const failed = (error: Error): void => this.#close({ cause: 'storage', detail: error.message });
    const inbound = new Inbound({
      ...this.#parts,
      state: this.#state,
      groups: this.#groupCache,
      self: () => selfOf(credentials),
      failed,
    });
    const socket = openLibrarySocket({
      ...this.#parts,
      credentials,
      keys: libraryKeys(this.#state, failed),
      devices: this.#devices,
      groups: this.#groupCache,
      makeSignalRepository: durableRepository(inbound),
    });
    const watchdog = setTimeout(
      () => this.#close({ cause: 'lost', detail: 'NO_ANSWER', fault: 'NO_ANSWER' }),
      silentMs,
    );
    const connection: Connection = {
      socket,
      credentials,
      acknowledgements: new Acknowledgements(),
      presence: new SocketPresence({
        socket,
        state: this.#state,
        self: () => selfOf(credentials),
        isCurrent: () => this.#connection === connection,
        shown: (shown) => this.#parts.listener.presence(shown),
      }),
      isOpen: false,
      qrCodes: 0,
      watchdog,
    };
    this.#connection = connection;
    this.#watch(connection, inbound);
    // The login that follows a link is another start.
    if (!isLinked(credentials))
      this.#preKeys = makePreKeys(this.#state).catch((error: Error) =>
        this.#close({ cause: 'storage', detail: error.message }),
      );
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#leave();
    if (connection !== undefined) cutOff(connection.socket);
  }

  async logout(): Promise<void> {
    const connection = this.#connection;
    // The request is written before the connection ends; the network needs no more.
    if (connection?.isOpen === true) await connection.socket.logout().catch(() => undefined);
    await this.stop();
  }

  async isLinked(): Promise<boolean> {
    return isLinked(await storedCredentials(this.#state));
  }

  async requestPairingCode(phoneNumber: string): Promise<string> {
    if (await this.isLinked()) throw new Refused('CONFLICT', 'The profile is linked already.');
    await this.#firstQr.promise;
    const connection = this.#connection;
    if (connection === undefined) throw notConnected();
    return acceptedPairingCode(connection.socket, phoneNumber);
  }

  async send(order: SendOrder): Promise<SendOutcome> {
    const connection = this.#opened();
    const { socket, acknowledgements, credentials } = connection;
    const { clock } = this.#parts;
    return sendThrough(
      {
        socket,
        acknowledgements,
        devices: this.#devices,
        clock,
        isOpen: () => this.#connection === connection,
        self: selfOf(credentials),
        renewKey: (group) => renewSenderKey(group, this.#state, credentials.me),
        make: () => this.#preparing.message(order, socket, order.deadline - clock.now()),
      },
      order,
    );
  }

  async setTyping(chat: string, state: TypingState): Promise<void> {
    await this.#opened().socket.sendPresenceUpdate(state, toNetwork(chat));
  }

  async followPresence(chats: readonly string[]): Promise<void> {
    await this.#opened().presence.follow(chats);
  }

  async olderMessages(request: OlderMessages): Promise<HandedOver> {
    const { socket } = this.#opened();
    return olderMessages({ socket, state: this.#state, requests: this.#historyRequests }, request);
  }

  async people(after: string, limit: number): Promise<PeoplePage> {
    const { socket } = this.#opened();
    if (after === '') await readAddressBook(socket, this.#people, this.#state);
    return this.#people.page(after, limit);
  }

  async checkNumbers(phones: readonly string[]): Promise<readonly KnownNumber[]> {
    return onNetwork(this.#opened().socket, phones);
  }

  async health(): Promise<NetworkHealth> {
    return queryHealth(this.#opened().socket);
  }

  async markRead(chat: string, messages: readonly ReadMessage[]): Promise<void> {
    await this.#opened().socket.readMessages(readKeys(chat, messages));
  }

  #opened(): Connection {
    const connection = this.#connection;
    if (connection?.isOpen !== true) throw notConnected();
    return connection;
  }

  #watch(connection: Connection, inbound: Inbound): void {
    watchConnection(connection, {
      inbound,
      state: this.#state,
      devices: this.#devices,
      people: this.#people,
      historyRequests: this.#historyRequests,
      updated: (update) => this.#updated(connection, update),
      named: (name) => this.#parts.listener.named(name),
      health: (health) => this.#parts.listener.health(health),
      refresh: (stanza) => void this.#refresh(connection, stanza),
      close: (closing) => this.#close(closing),
      isCurrent: () => this.#connection === connection,
    });
  }

  #updated(connection: Connection, update: Partial<ConnectionState>): void {
    if (this.#connection !== connection) return;
    if (update.qr !== undefined) {
      clearTimeout(connection.watchdog);
      connection.qrCodes += 1;
      const validForMs = connection.qrCodes === 1 ? firstQrMs : laterQrMs;
      connection.offered = { qr: update.qr, until: performance.now() + validForMs };
      this.#parts.listener.qr(withSecret(update.qr, connection.credentials), validForMs);
      this.#firstQr.resolve();
    }
    if (update.connection === 'open') {
      clearTimeout(connection.watchdog);
      connection.isOpen = true;
      this.#parts.listener.open({
        phoneNumber: selfOf(connection.credentials).phone,
        pushName: nameOf(connection.credentials.me?.name),
      });
      void this.#groupCache.refresh().catch(() => undefined);
    }
    if (update.connection === 'close')
      this.#close(closeCause(update.lastDisconnect?.error, isLinked(connection.credentials)));
  }

  /** The server requests a new secret: it is stored before the QR code is shown again with the same reference. */
  async #refresh(connection: Connection, stanza: BinaryNode): Promise<void> {
    const { credentials, socket } = connection;
    try {
      credentials.advSecretKey = newSecret();
      await saveCredentials(this.#state, credentials);
    } catch (error) {
      return this.#close({ cause: 'storage', detail: (error as Error).message });
    }
    if (this.#connection !== connection) return;
    const { offered } = connection;
    const leftMs = offered === undefined ? 0 : Math.round(offered.until - performance.now());
    if (offered !== undefined && leftMs > 0) this.#parts.listener.qr(withSecret(offered.qr, credentials), leftMs);
    await acknowledge(socket, stanza).catch(() => undefined);
  }

  #close(closing: Closing): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#leave();
    cutOff(connection.socket);
    this.#parts.listener.closed(closing);
  }

  #leave(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#firstQr.reject(notConnected());
    if (connection === undefined) return;
    clearTimeout(connection.watchdog);
    connection.acknowledgements.end();
  }
}

/** One connection of a session to the network. */
export interface Connection {
  readonly socket: WASocket;
  readonly credentials: AuthenticationCreds;
  readonly acknowledgements: Acknowledgements;
  readonly presence: SocketPresence;
  isOpen: boolean;
  qrCodes: number;
  /** The QR code as the library offered it last, and when it expires, milliseconds of the monotonic clock. */
  offered?: { readonly qr: string; readonly until: number };
  watchdog: NodeJS.Timeout;
}

interface Watch {
  readonly inbound: Inbound;
  readonly state: SignalState;
  readonly devices: ReturnType<typeof userDevices>;
  readonly people: People;
  readonly historyRequests: HistoryRequests;
  readonly updated: (update: Partial<ConnectionState>) => void;
  readonly named: (name: string) => void;
  readonly health: (health: NetworkHealth) => void;
  /** The server requests a new secret for the QR code. */
  readonly refresh: (stanza: BinaryNode) => void;
  readonly close: (closing: Closing) => void;
  readonly isCurrent: () => boolean;
}

/** Takes in everything that comes over a connection. */
function watchConnection({ socket, acknowledgements, credentials }: Connection, watch: Watch): void {
  const { inbound, state, close } = watch;
  watchStanzas(socket.ws, {
    message: (stanza) => inbound.expect(stanza),
    receipt: (stanza) => inbound.receipt(stanza),
    group: (stanza) => inbound.group(stanza),
    isCurrent: watch.isCurrent,
    takes: (stanza) => {
      if (!isRefresh(stanza) || isLinked(credentials)) return false;
      if (watch.isCurrent()) watch.refresh(stanza);
      return true;
    },
    ack: (stanza) => {
      acknowledgements.take(stanza);
      deviceListChanged(stanza, watch.devices);
    },
  });
  // Without a listener of ours an answer other than 101 would leave the library waiting for ever.
  socket.ws.on('unexpected-response', (_request, response: { statusCode?: number }) => {
    const fault = `HTTP_${response.statusCode}`;
    close({ cause: 'lost', detail: fault, fault });
  });
  // The library confirms it and waits on: only a browser on the network's own page can show a passkey.
  for (const type of ['passkey_prologue_request', 'crsc_continuation'])
    socket.ws.on(`CB:notification,type:${type}`, () => close({ cause: 'passkey-required', detail: type }));
  socket.ws.on('CB:notification,type:mex', (stanza: BinaryNode) => {
    const health = notifiedHealth(stanza);
    if (health !== undefined && watch.isCurrent()) watch.health(health);
  });
  socket.ev.on('connection.update', watch.updated);
  socket.ev.on('creds.update', ({ me }) => {
    const name = nameOf(me?.name);
    if (name !== undefined && watch.isCurrent()) watch.named(name);
    saveCredentials(state, credentials).catch((error: Error) => close({ cause: 'storage', detail: error.message }));
  });
  takePeople(socket, watch.people, () => selfOf(credentials));
  takeHistory({ socket, inbound, requests: watch.historyRequests });
}

/** A message that was read; in a group it has an author. */
export interface ReadMessage {
  readonly networkMessageId: string;
  readonly author?: string | undefined;
}

/** The library's names of messages of a chat. */
function readKeys(chat: string, messages: readonly ReadMessage[]): WAMessageKey[] {
  const remoteJid = toNetwork(chat);
  return messages.map(({ networkMessageId: id, author }) => ({
    remoteJid,
    id,
    fromMe: false,
    ...(author !== undefined && chat.endsWith('@g.us') && { participant: toNetwork(author) }),
  }));
}

/** Rejects unheard when nobody waits for it. */
function awaited(): PromiseWithResolvers<void> {
  const resolvers = Promise.withResolvers<void>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
