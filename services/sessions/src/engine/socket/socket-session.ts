import {
  generateMessageIDV2,
  proto,
  type BinaryNode,
  type ConnectionState,
  type SocketConfig,
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
import { readKeys, type ReadMessage } from './sending/read-keys.ts';
import { Acknowledgements, sendThrough } from './sending/sending.ts';
import { nameOf, person, selfAddress, selfOf, toNetwork } from './wire-format/addresses.ts';
import { timerChanges, timerFact, timerOf } from './wire-format/chat-timers.ts';
import { closeCause } from './close-cause.ts';
import { type Connection, watchConnection } from './connection.ts';
import { credentialsFor, isLinked, makePreKeys, saveCredentials, storedCredentials } from './signal/credentials.ts';
import { durableRepository } from './signal/durable-repository.ts';
import { HistoryRequests, olderMessages } from './receiving/history.ts';
import { type GroupCache, groupCache } from './groups/group-cache.ts';
import { renewSenderKey } from './groups/sender-key.ts';
import { SocketGroups } from './groups/socket-groups.ts';
import { Inbound } from './receiving/inbound.ts';
import { EarlyChanges } from './receiving/early-changes.ts';
import { LateContent } from './receiving/late-content.ts';
import { cutOff, openLibrarySocket } from './library/library-socket.ts';
import { libraryLogger } from './library/adaptations.ts';
import { queryHealth } from './receiving/account-health.ts';
import * as pairing from './pairing.ts';
import { SocketPresence } from './receiving/presence.ts';
import { onNetwork, People, readAddressBook } from './receiving/people.ts';
import { Preparing } from './sending/outgoing-message.ts';
import { SignalState, libraryKeys, userDevices, watchedData } from './signal/signal-state.ts';

export interface SocketSessionParts extends SessionParts {
  readonly network: Partial<SocketConfig>;
  readonly slots: Slots;
  readonly preview: MakePreview;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The network answers a change of a timer within this. */
const settingMs = 15_000;
/** A connection that shows neither a QR code nor a login in this time is given up. */
const silentMs = 30_000;

/** One profile on the client library. */
export class SocketSession implements EngineSession {
  readonly #parts: SocketSessionParts;
  readonly #state: SignalState;
  readonly #devices: ReturnType<typeof userDevices>;
  readonly #preparing: Preparing;
  #connection: Connection | undefined;
  #firstQr = pairing.awaited();
  #preKeys: Promise<void> = Promise.resolve();
  readonly #people: People;
  readonly #historyRequests = new HistoryRequests();
  readonly #groupCache: GroupCache;
  readonly #late: LateContent;
  readonly #early: EarlyChanges;
  readonly groups: SocketGroups;

  constructor(parts: SocketSessionParts) {
    const data = watchedData(parts.data, (error) => this.#close({ cause: 'storage', detail: error.message }));
    this.#parts = { ...parts, data };
    this.#state = new SignalState(data);
    this.#preparing = new Preparing({ ...parts, state: this.#state, logger: libraryLogger(parts.log) });
    this.#people = new People({
      data,
      state: this.#state,
      failed: (error) => this.#close({ cause: 'storage', detail: error.message }),
    });
    this.#devices = userDevices(this.#state, () => parts.clock.now());
    this.#groupCache = groupCache(this.#parts, this.#state, () => this.#opened().socket);
    this.groups = new SocketGroups(() => this.#opened(), this.#groupCache);
    this.#early = new EarlyChanges(this.#parts);
    this.#late = new LateContent({
      ...this.#parts,
      request: (keys) => this.#requestFromPhone(keys),
      failed: (error) => this.#close({ cause: 'storage', detail: error.message }),
    });
    void this.#startLate();
  }

  async #startLate(): Promise<void> {
    const { log, data } = this.#parts;
    await Promise.all([this.#late.start(), this.#early.start()]).catch(({ message: reason }: Error) =>
      log.warn('Messages without content could not be read', { profileId: data.profileId, reason }),
    );
  }

  async start(): Promise<void> {
    if (this.#connection !== undefined) return;
    await Promise.all([this.#startLate(), this.#preKeys]);
    const credentials = await credentialsFor(this.#state);
    this.#firstQr = pairing.awaited();
    const failed = (error: Error): void => this.#close({ cause: 'storage', detail: error.message });
    const inbound = new Inbound({
      ...this.#parts,
      state: this.#state,
      groups: this.#groupCache,
      late: this.#late,
      early: this.#early,
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

  /** The phone answers with the messages, if it has them. */
  #requestFromPhone(keys: readonly proto.IMessageKey[]): boolean {
    const connection = this.#connection;
    if (connection?.isOpen !== true) return false;
    const placeholderMessageResendRequest = keys.map((messageKey) => ({ messageKey }));
    const peerDataOperationRequestType = proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND;
    connection.socket
      .sendPeerDataOperationMessage({ placeholderMessageResendRequest, peerDataOperationRequestType })
      .catch(({ message: reason }: Error) => this.#parts.log.debug('A request to the phone failed', { reason }));
    return true;
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#late.stop();
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
    return pairing.acceptedPairingCode(connection.socket, phoneNumber);
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
        state: this.#state,
        make: (addressed) => this.#preparing.message(addressed, socket, order.deadline - clock.now()),
      },
      order,
    );
  }

  async setDisappearing(chat: string, seconds: number): Promise<string> {
    const connection = this.#opened();
    const { clock, facts, data } = this.#parts;
    // The last setting holds, also where the clock of whoever set the one before is ahead.
    const before = await timerOf(chat, this.#state);
    const at = Math.max(Math.floor(clock.now() / 1000), (before?.at ?? 0) + 1);
    const isGroup = chat.endsWith('@g.us');
    if (isGroup) await this.groups.setDisappearing(chat, seconds);
    const address = isGroup ? chat : await this.#announceTimer(chat, seconds, at);
    const about = isGroup ? undefined : await person(toNetwork(address), undefined, this.#state);
    const setting = {
      chat: about ?? { jid: address },
      author: selfAddress(selfOf(connection.credentials)),
      fromMe: true,
    };
    const fact = await timerFact({ seconds, at }, setting, { profileId: data.profileId, state: this.#state });
    const told = fact === undefined ? [] : [fact];
    const keeping = facts.keep(told);
    await data.commit([...keeping.changes(), ...timerChanges(told, this.#state)]);
    keeping.kept();
    return new Date(at * 1000).toISOString();
  }

  /** @returns the address that the network knows the chat under. @throws Refused */
  async #announceTimer(chat: string, seconds: number, at: number): Promise<string> {
    const setting = {
      type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING,
      ephemeralExpiration: seconds,
      ephemeralSettingTimestamp: at,
    };
    const encoded = proto.Message.encode({ ephemeralMessage: { message: { protocolMessage: setting } } }).finish();
    const { clock } = this.#parts;
    const outcome = await this.send({
      networkMessageId: generateMessageIDV2(),
      to: chat,
      // Sent as `encoded` says.
      content: { type: 'text', content: { text: '' } },
      encoded,
      deadline: clock.now() + settingMs,
      record: () => [],
    });
    if (outcome.outcome === 'refused') throw new Refused('ENGINE_REFUSED', outcome.reason);
    if (outcome.outcome === 'handed-over')
      throw new Refused('ENGINE_TIMEOUT', 'The network did not answer in time: the timer may have been set.');
    return outcome.to ?? chat;
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
      ignored: (kind) => this.#parts.listener.ignored(kind),
    });
  }

  #updated(connection: Connection, update: Partial<ConnectionState>): void {
    if (this.#connection !== connection) return;
    if (update.qr !== undefined) {
      clearTimeout(connection.watchdog);
      connection.qrCodes += 1;
      const validForMs = pairing.qrValidityMs(connection.qrCodes);
      connection.offered = { qr: update.qr, until: performance.now() + validForMs };
      this.#parts.listener.qr(pairing.withSecret(update.qr, connection.credentials), validForMs);
      this.#firstQr.resolve();
    }
    if (update.connection === 'open') {
      clearTimeout(connection.watchdog);
      connection.isOpen = true;
      const { phone, lid } = selfOf(connection.credentials);
      this.#parts.listener.open({
        phoneNumber: phone,
        lid: lid === undefined ? undefined : `${lid}@lid`,
        pushName: nameOf(connection.credentials.me?.name),
      });
      void this.#groupCache.refresh().catch(() => undefined);
      this.#late.connected();
    }
    if (update.connection === 'close')
      this.#close(closeCause(update.lastDisconnect?.error, isLinked(connection.credentials)));
  }

  /** The server requests a new secret: it is stored before the QR code is shown again with the same reference. */
  async #refresh(connection: Connection, stanza: BinaryNode): Promise<void> {
    const { credentials, socket } = connection;
    try {
      credentials.advSecretKey = pairing.newSecret();
      await saveCredentials(this.#state, credentials);
    } catch (error) {
      return this.#close({ cause: 'storage', detail: (error as Error).message });
    }
    if (this.#connection !== connection) return;
    const { qr, until } = connection.offered ?? { qr: '', until: 0 };
    const leftMs = Math.round(until - performance.now());
    if (leftMs > 0) this.#parts.listener.qr(pairing.withSecret(qr, credentials), leftMs);
    await pairing.acknowledge(socket, stanza).catch(() => undefined);
  }

  #close(closing: Closing): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    // The session data is closed in both cases, and opened for another session.
    if (closing.cause === 'storage' || closing.cause === 'logged-out') this.#late.stop();
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
