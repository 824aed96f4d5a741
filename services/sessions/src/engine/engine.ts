import type { Readable } from 'node:stream';
import type {
  DataOf,
  GroupParticipants,
  GroupUpdated,
  MediaKind,
  OutgoingContentOf,
  participantActions,
  PresenceUpdate,
  ProfileHealth,
  SessionGroupNamed,
  SessionMessage,
  SessionMessageChanged,
  SessionReceipt,
} from '@messaging-gateway/contracts';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { Change, SessionData } from '../session-data/session-data-store.ts';

/** The kinds of engines, in the order in which an installation that names none in `DEFAULT_ENGINE` chooses. */
export const engineKinds = ['web-js-engine', 'socket-engine'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** The capabilities of an engine; requests for others are answered with 501 ENGINE_UNSUPPORTED. */
export type Capability =
  | 'pairing-code'
  | 'read-receipts'
  | 'typing'
  | 'presence'
  | 'groups'
  | OutgoingContentOf['type'];

/** Why a connection ended. */
export type CloseCause =
  /** The network asks for a new connection at once, as after linking. */
  | 'restart'
  /** The link was removed on the phone: a new scan is needed. */
  | 'logged-out'
  /** Another client took the place of this one. */
  | 'replaced'
  /** The network wants a newer client version. */
  | 'version-refused'
  /** The network refuses the account. */
  | 'forbidden'
  /** The phone asks for a passkey before it links, which only the network's own clients can show. */
  | 'passkey-required'
  /** No QR code was scanned, no pairing code typed in time. */
  | 'not-linked'
  /** The session data could not be written: nothing was sent. */
  | 'storage'
  /** Anything else: a network that is away, a timeout, a dropped connection. */
  | 'lost';

/** Where the media of an inbound message are, and how to read them. */
export interface Attachment {
  readonly type: MediaKind;
  /** Base64. */
  readonly key: string;
  readonly directPath?: string;
  readonly url?: string;
  /** Of the media themselves, hexadecimal. */
  readonly sha256?: string;
  /** As the sender says, bytes. */
  readonly size: number;
}

/** Media that are not to be had, however often one asks. */
export class MediaGone extends Error {
  override readonly name = 'MediaGone';
}

/** A fact that an engine took from the network, as the journal tells it. */
export type Fact =
  | {
      readonly kind: 'message';
      readonly data: DataOf<typeof SessionMessage>;
      /** Fetched before the message is told. */
      readonly attachment?: Attachment;
      /** When it came, milliseconds since 1970, where it has waited since: for media, or behind a message with some. */
      readonly arrivedAt?: number;
    }
  | { readonly kind: 'change'; readonly data: DataOf<typeof SessionMessageChanged> }
  | { readonly kind: 'receipt'; readonly data: DataOf<typeof SessionReceipt> }
  | { readonly kind: 'group'; readonly data: DataOf<typeof GroupUpdated> }
  | { readonly kind: 'participants'; readonly data: DataOf<typeof GroupParticipants> }
  | { readonly kind: 'group-named'; readonly data: DataOf<typeof SessionGroupNamed> };

/** Facts that are about to be kept. */
export interface Keeping {
  /** Changes that are committed for the facts. Asked for once, in the same turn as the commit: their place among others is fixed here. */
  changes(): readonly Change[];
  /** Called right after the commit. */
  kept(): void;
}

/**
 * Keeps facts until the journal has taken them. The engine commits `changes` together with the ratchet, before it
 * tells the network that it has received anything, and calls `kept` right after the commit.
 */
export interface FactKeeper {
  keep(facts: readonly Fact[]): Keeping;
}

/** The end of a connection. */
export interface Closing {
  readonly cause: CloseCause;
  /** For the log, without anything of a message. */
  readonly detail: string;
  /** The fault that a lost connection met: a code of the system, of TLS or of HTTP, such as ECONNREFUSED, or a word like it. */
  readonly fault?: string;
}

/** Restriction and quota of new chats as the network reports them. An absent field was not reported. */
export interface NetworkHealth {
  /** Null: the account is not restricted. `until`: milliseconds since 1970, absent if the network names no end. */
  readonly restriction?: { readonly type: string; readonly until?: number } | null;
  readonly newChats?: NewChats;
}

type NewChats = NonNullable<DataOf<typeof ProfileHealth>['newChats']>;

/** The listener that an engine tells about a connection. Calls come in order; nothing comes after `closed`. */
export interface ConnectionListener {
  /** A QR code to scan, valid for so many milliseconds. */
  qr(qr: string, validForMs: number): void;
  /** Logged in: messages can be sent and come in. */
  open(as: { readonly phoneNumber: string; readonly pushName: string | undefined }): void;
  /** The account's name became known or changed. */
  named(pushName: string): void;
  closed(closing: Closing): void;
}

/** The listener that an engine tells about a connection, and of what comes over it. */
export interface EngineListener extends ConnectionListener {
  /** Of a chat that is followed (see `followPresence`). */
  presence(shown: PresenceShown): void;
  /** The network notified a change of the account's restriction or quota. */
  health(health: NetworkHealth): void;
}

/** The presence of somebody in a chat, as it is seen. */
export interface PresenceShown {
  /** JID, as it was given to be followed. */
  readonly chat: string;
  /** In a group. */
  readonly author?: NetworkAddress;
  readonly presence: DataOf<typeof PresenceUpdate>['presence'];
  /** Milliseconds since 1970. */
  readonly lastSeen?: number;
}

type NetworkAddress = DataOf<typeof SessionMessage>['chat'];

export interface SendOrder {
  /** Fixed before the first attempt; a repeat has the same one. */
  readonly networkMessageId: string;
  readonly to: string;
  readonly content: OutgoingContentOf;
  /** Milliseconds since 1970: nothing leaves after it. */
  readonly deadline: number;
  /** The message that left, or may have left, under this id before: it goes again as it was. */
  readonly encoded?: Uint8Array | undefined;
  /** Committed together with the ratchet before anything leaves. */
  record(encoded: Uint8Array): readonly Change[];
  /** Told of the network's answer when it comes after the outcome. */
  late?(outcome: SendOutcome): void;
}

export interface OlderMessages {
  readonly chat: string;
  readonly oldest: { readonly networkMessageId: string; readonly fromMe: boolean; readonly sentAt: string };
  /** 1–500. */
  readonly count: number;
  readonly waitMs: number;
}

/** The part of a chat that the phone handed over. */
export interface HandedOver {
  readonly networkMessageIds: readonly string[];
  /** Whether the phone has still older ones. Absent: it did not say. */
  readonly hasMore?: boolean;
}

export type TypingState = 'composing' | 'recording' | 'paused';

export type SendOutcome =
  | { readonly outcome: 'acknowledged' }
  | { readonly outcome: 'refused'; readonly code: string; readonly reason: string }
  /** The message may have left, and no answer came. */
  | { readonly outcome: 'handed-over' };

/** A phone that is on the network. */
export interface KnownNumber {
  readonly phone: string;
  /** `<digits>@c.us`; the digits may be others than those that were asked about. */
  readonly jid: string;
}

/** A person of whom the network has told; one of phone and LID is there. */
export interface NetworkPerson {
  /** Digits. */
  readonly phone?: string;
  /** `<id>@lid`. */
  readonly lid?: string;
  /** By which the phone has saved the person. */
  readonly name?: string;
  /** Which the person gave on the network. */
  readonly pushName?: string;
}

export interface PeoplePage {
  readonly people: readonly NetworkPerson[];
  /** Where the next page begins; absent at the end. */
  readonly next?: string;
}

/** One profile's session with the network. */
export interface EngineSession {
  readonly groups: EngineGroups;
  /** Opens one connection. It ends with `closed`; another start opens the next one. */
  start(): Promise<void>;
  /** Closes the connection and keeps the link. Nothing is told afterwards. */
  stop(): Promise<void>;
  /** Removes the link, on the network too when there is a connection, and forgets the session. */
  logout(): Promise<void>;
  /** Whether the session is linked: a start logs in without a scan. */
  isLinked(): Promise<boolean>;
  /** @throws Refused CONFLICT when the profile is linked already */
  requestPairingCode(phoneNumber: string): Promise<string>;
  /** @throws Refused with `details.nothingLeft` when nothing has left and nothing will */
  send(order: SendOrder): Promise<SendOutcome>;
  /** Finds which of the phones are on the network. */
  checkNumbers(phones: readonly string[]): Promise<readonly KnownNumber[]>;
  markRead(
    chat: string,
    messages: readonly { readonly networkMessageId: string; readonly author?: string | undefined }[],
  ): Promise<void>;
  /** Shows in the chat that somebody writes or records, or does no more. */
  setTyping(chat: string, state: TypingState): Promise<void>;
  /**
   * Tells presence and typing in these chats and no others, until the connection ends. The account is shown as being there
   * for as long as there are any. Of JIDs that it was given before on this connection the network is not asked again.
   */
  followPresence(chats: readonly string[]): Promise<void>;
  /**
   * Asks the phone for older messages of a chat, which are told as history.
   *
   * @throws Refused ENGINE_TIMEOUT when it does not answer
   */
  olderMessages(request: OlderMessages): Promise<HandedOver>;
  /**
   * The people of whom the network has told. The phone's address book is read anew for the first page.
   *
   * @param after `next` of the page before; empty for the first one
   * @throws Refused ENGINE_TIMEOUT when the network does not hand it over
   */
  people(after: string, limit: number): Promise<PeoplePage>;
  /** Queries the network for the account's restriction and quota. Absent if the engine cannot. */
  health?(): Promise<NetworkHealth>;
}

export interface SessionParts {
  readonly organizationId: string;
  readonly data: SessionData;
  /** Where media of messages that go out come from. */
  readonly media: MediaSources;
  readonly facts: FactKeeper;
  readonly listener: EngineListener;
}

/** The port that every kind of engine implements. All pass `engine.suite.ts`. */
export interface Engine {
  readonly kind: EngineKind;
  readonly capabilities: ReadonlySet<Capability>;
  session(parts: SessionParts): EngineSession;
  /**
   * The media of an inbound message, decrypted as they come; needs no connection.
   *
   * @throws MediaGone, here or by the stream
   */
  download(attachment: Attachment, signal: AbortSignal): Promise<Readable>;
}

interface GroupMember {
  /** `<digits>@c.us`, or `<id>@lid` of somebody whose phone the network does not tell. */
  readonly jid: string;
  /** Digits. */
  readonly phone: string | undefined;
  /** `<id>@lid`, where the network tells it. */
  readonly lid: string | undefined;
  readonly isAdmin: boolean;
  /** Made the group. */
  readonly isSuperAdmin: boolean;
}

export interface EngineGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** JID of whoever made it. */
  readonly owner: string | undefined;
  /** The profile itself made it. */
  readonly isOwn: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly members: readonly GroupMember[];
}

export type ParticipantAction = (typeof participantActions)[number];

/** The outcome for one person; `status` is the network's code, 200 when it was done. */
export interface ParticipantOutcome {
  /** JID as it was asked. */
  readonly person: string;
  readonly status: number;
}

/**
 * The groups of one profile. JIDs of people are `<digits>@c.us` or `<id>@lid`.
 *
 * @throws (all of them) Refused PROFILE_NOT_CONNECTED, FORBIDDEN when the profile is not in the group or no admin of it,
 * NOT_FOUND, CONFLICT, RATE_LIMITED, ENGINE_REFUSED, ENGINE_TIMEOUT: it may have been done
 */
export interface EngineGroups {
  list(): Promise<readonly EngineGroup[]>;
  read(id: string): Promise<EngineGroup>;
  create(name: string, people: readonly string[]): Promise<{ id: string; outcomes: readonly ParticipantOutcome[] }>;
  changeMembers(
    id: string,
    action: ParticipantAction,
    people: readonly string[],
  ): Promise<readonly ParticipantOutcome[]>;
  rename(id: string, name: string): Promise<void>;
  /** An empty text takes the description away. */
  describe(id: string, text: string): Promise<void>;
  leave(id: string): Promise<void>;
  /** The code that leads into the group; with `renew` the old one leads nowhere any more. */
  invitation(id: string, renew: boolean): Promise<string>;
}

/** Said with every refusal of a delivery: the message has not left and will not. */
export const nothingLeft = { nothingLeft: true } as const;

/** The profile has no connection, so nothing can leave. */
export const notConnected = (): Refused =>
  new Refused('PROFILE_NOT_CONNECTED', 'The profile has no connection to the network now.', nothingLeft);
