import type { DropMoment } from '../messages/drop-moment.ts';
import type { Rank } from '../groups/group.ts';
import type { Content, Wrapping } from '../messages/kinds.ts';
import type { NetworkSettings } from '../network.ts';
import type { Behaviour } from '../people/behaviour.ts';
import type { ShownMessage } from '../people/inbox.ts';
import type { WrittenMessage } from '../people/outbox.ts';
import type { PastPlan } from '../people/past.ts';
import type { Allowance } from '../people/restriction.ts';
import type { PersonPresence, SeenTyping, TypingState } from '../people/typing.ts';
import type { StatisticsSnapshot } from '../statistics.ts';
import type { Envelope, StanzaNode } from './stanzas.ts';

/** Phone numbers are digits with country code, as in the addresses. */
export type PhoneFact = {
  phone: string;
  lid: string;
  jid: string;
  pushName: string;
  devices: DeviceFact[];
};

export type DeviceFact = {
  device: number;
  jid: string;
  connected: boolean;
  /** Whether it said that it is in use. */
  presence: 'available' | 'unavailable' | undefined;
  /** Stanzas that it has not confirmed yet. */
  waiting: number;
};

/** `id` is the group's address, ending in @g.us; `rank` of its creator is superadmin. */
export type GroupFact = {
  id: string;
  subject: string;
  description: string | undefined;
  inviteCode: string;
  members: { phone: string; rank: Rank }[];
};
/** 200, or the network's code for why not. */
export type MemberOutcome = { phone: string; status: number };
export type NewGroup = { owner: string; subject: string; participants: string[]; description?: string };
/** A change of a group by a member; an empty description takes it away. */
export type GroupChange = { by: string } & {
  add?: string[];
  remove?: string[];
  promote?: string[];
  demote?: string[];
  subject?: string;
  description?: string;
  revokeInvite?: boolean;
  leave?: boolean;
};

export type NewPhone = { phone: string; pushName?: string };
/** A text in short, or a message of any kind; `to` is a number or a group's address. */
export type Text = { to: string } & ({ text: string } | { content: Content });
/** `times` delivers the same id repeatedly, encrypted anew, `copies` the very same stanza; `unreadable` spoils the first copy, so that the client asks again; `late` is overtaken by the author's next message. */
/**
 * `envelope` changes attributes of the stanza; `instead` holds nodes in place of the encrypted message;
 * `broadcast` is the number of the contact's broadcast list.
 */
export type ContactText = Text & {
  envelope?: Envelope;
  instead?: StanzaNode[];
  broadcast?: string;
  id?: string;
  times?: number;
  copies?: number;
  unreadable?: boolean;
  late?: boolean;
  wrapping?: Wrapping;
};
/** Without `from` and `ids`: all messages not read so far. `played`: voice notes among them, or those named, were listened to. */
type ReadChoice = { from?: string; ids?: string[]; played?: boolean };

/**
 * The verbs of tests, demo and bench on the simulated network: in its own process as methods of the simulator,
 * from elsewhere by HTTP. A contact and a phone are the same kind of thing, a person with a number;
 * whoever is named comes into being.
 *
 * @throws (all of them) an error with a `code` when it can't be done
 */
export type SimulatorControl = {
  createPhone(phone: NewPhone): Promise<PhoneFact>;
  phone(phone: string): Promise<PhoneFact>;
  /** The phone scans the QR code that a client shows; resolves when the client is linked. */
  scan(phone: string, qr: string): Promise<DeviceFact>;
  /** The owner types a pairing code into the phone; resolves when the client is linked. */
  enterPairingCode(phone: string, code: string): Promise<DeviceFact>;
  /** Removes all linked devices of the phone: clients report 401. */
  unlink(phone: string): Promise<void>;
  /** Makes the linked devices believe that another client took their place: clients report 440. */
  conflict(phone: string): Promise<void>;
  /** Breaks the linked devices' connections, at once or at a moment of the next message. */
  drop(phone: string, when?: DropMoment): Promise<void>;
  /** The owner writes on the phone; linked devices get their copy. */
  sendFromPhone(phone: string, text: Text): Promise<{ id: string }>;
  sendFromContact(contact: string, text: ContactText): Promise<{ id: string }>;
  /**
   * Gives a phone a past, which clients linked from now on are handed, and those linked already at once.
   * @returns how many messages each chat has
   */
  givePast(phone: string, plan: PastPlan): Promise<Record<string, number>>;
  /** The server sends any stanza to each linked device of the phone. */
  deliverStanza(phone: string, stanza: { node: StanzaNode }): Promise<void>;
  /** Numbers become other forms of canonical numbers: a query by number returns the canonical address. */
  alias(canonicalByNumber: Record<string, string>): Promise<void>;
  /** The owner saves somebody on the phone under a name: linked clients learn it from the account's state. */
  saveName(phone: string, saved: { contact: string; name: string }): Promise<void>;
  createGroup(group: NewGroup): Promise<GroupFact & { results: MemberOutcome[] }>;
  group(id: string): Promise<GroupFact>;
  changeGroup(id: string, change: GroupChange): Promise<GroupFact & { results: MemberOutcome[] }>;
  /** A contact joins a group by an invitation link's code. */
  joinGroup(contact: string, code: string): Promise<GroupFact>;
  /** The contact sends `count` messages that stay unreadable however often they are asked for. */
  storm(contact: string, storm: { to: string; count: number }): Promise<{ ids: string[] }>;
  /** The contact types, records or stops, in a chat with somebody or in a group, as connected clients that are in use see it. */
  showTyping(contact: string, typing: { to: string; state: TypingState }): Promise<void>;
  /** The contact is there or is not, as clients see it that asked for it and are in use. */
  showPresence(contact: string, presence: PersonPresence): Promise<void>;
  /** Whom the contact saw typing, recording and stopping, in order. */
  typing(contact: string, choice?: { from?: string }): Promise<SeenTyping[]>;
  /** Messages that a phone or contact has shown, in the order shown. */
  messages(contact: string, choice?: { from?: string }): Promise<ShownMessage[]>;
  /** Messages that a phone or contact has written, and what became of them. */
  written(contact: string, choice?: { to?: string }): Promise<WrittenMessage[]>;
  /** The contact reads: read receipts are sent. */
  read(contact: string, choice?: ReadChoice): Promise<{ ids: string[] }>;
  /** `restriction` and `newChats` are what the network allows the account of this phone: linked clients can query both, and are notified of changes. */
  configureContact(contact: string, behaviour: Partial<Behaviour & Allowance>): Promise<Behaviour & Allowance>;
  /** The server makes the client that shows a QR code replace the secret in it: the code that it showed so far links nothing any more. */
  refreshPairing(qr: string): Promise<void>;
  configureNetwork(settings: Partial<NetworkSettings>): Promise<NetworkSettings>;
  statistics(): Promise<StatisticsSnapshot>;
  /** Forgets all people, links, messages, settings and counts, and drops all connections. */
  reset(): Promise<void>;
  /**
   * Waits until a phone or contact has shown `count` messages (from one number, if given).
   * @param timeoutMs milliseconds, 180 000 by default
   * @throws MESSAGES_MISSING when there are fewer after that time
   */
  waitForMessages(contact: string, count: number, timeoutMs?: number, from?: string): Promise<ShownMessage[]>;
};

export type { DropMoment, PastPlan, ShownMessage };
