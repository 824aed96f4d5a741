import { createHash } from 'node:crypto';
import type {
  ChangeType,
  DataOf,
  MessageContentOf,
  MessageSent as MessageSentContract,
  OutgoingContentOf,
} from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { dayOf } from '../time/clock.ts';

/** All times in milliseconds since 1970. */
export type MessageCommand =
  | {
      readonly type: 'AcceptMessage';
      readonly facts: MessageFacts;
      readonly content: OutgoingContentOf;
      readonly quotedMessageId?: string;
      readonly mode: SendMode;
      readonly at: number;
    }
  | { readonly type: 'ConfirmSent'; readonly handedOverAt: number }
  | { readonly type: 'LoseOutcome'; readonly handedOverAt: number }
  /** The network said no. Durable messages are tried three times in all. */
  | {
      readonly type: 'RefuseDelivery';
      readonly error: Failure;
      /** From 1; what two owners of a lane tell of the same attempt counts once. */
      readonly attempt: number;
      readonly at: number;
      readonly handedOverAt?: number;
    }
  /** It will not be handed over: withdrawn, expired, without a connection, over the limit, profile deleted. */
  | { readonly type: 'GiveUp'; readonly error: Failure; readonly at: number }
  /** Nothing has ever left for it: a synchronous message is not sent later. */
  | { readonly type: 'ReportNeverSeen'; readonly at: number }
  | { readonly type: 'AbandonSettlement' }
  /** `confirms`: a receipt that overtakes the acknowledgement proves that the network took the message. */
  | { readonly type: 'RecordReceipt'; readonly status: ReceiptStatus; readonly at: number; readonly confirms: boolean };

/** Waits after the first and the second refused attempt, milliseconds. */
const backoffs = [1000, 4000];

const neverSeen: Failure = {
  code: 'ENGINE_TIMEOUT',
  message: 'The message was not handed over in time and will not be sent.',
};
const iso = (time: number): string => new Date(time).toISOString();

function decide(command: MessageCommand, state: Message): readonly MessageEvent[] {
  if (command.type === 'AcceptMessage') return isKnown(state) ? [] : accept(command);
  if (!isKnown(state)) throw new Refused('NOT_FOUND', 'There is no such message.');
  switch (command.type) {
    case 'ConfirmSent':
      return isOpen(state) ? [sent(state, command.handedOverAt)] : [];
    case 'LoseOutcome':
      return state.status === 'accepted' ? [lost(state, command.handedOverAt)] : [];
    case 'RefuseDelivery':
      return isOpen(state) && command.attempt > state.attempts ? [refused(state, command)] : [];
    case 'GiveUp':
      return state.status === 'accepted' ? [failed(state, command)] : [];
    case 'ReportNeverSeen':
      return isOpen(state) && state.mode === 'synchronous' ? [failed(state, { error: neverSeen, at: command.at })] : [];
    case 'AbandonSettlement':
      return state.status === 'unknown'
        ? [
            {
              type: 'SettlementAbandoned',
              data: { messageId: state.facts.messageId, profileId: state.facts.profileId },
            },
          ]
        : [];
    case 'RecordReceipt':
      return recordReceipt(command, state);
  }
}

function accept({
  facts,
  content,
  quotedMessageId,
  mode,
  at,
}: Extract<MessageCommand, { type: 'AcceptMessage' }>): MessageEvent[] {
  const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
  return [
    { type: 'MessageAccepted', data: { ...facts, content, ...quoted, mode, acceptedAt: iso(at), day: dayOf(at) } },
  ];
}

/** An unknown message keeps the place of the day on which its outcome was lost. */
const placeOf = ({ uncertainDay }: KnownMessage, at: number): Place =>
  uncertainDay === undefined ? { kind: 'reserved', day: dayOf(at) } : { kind: 'uncertain', day: uncertainDay };

function sent(state: KnownMessage, handedOverAt: number): MessageEvent {
  const data = {
    previousStatus: statusWord(state),
    handedOverAt: iso(handedOverAt),
    place: placeOf(state, handedOverAt),
    ...saidOf(state),
  };
  return { type: 'MessageSent', data: { ...state.facts, ...data } };
}

/** What it says, or what was done to another message, unless it was erased meanwhile. */
function saidOf({ content, quotedMessageId }: KnownMessage): Pick<SentData, 'change' | 'content' | 'quotedMessageId'> {
  if (typeof content !== 'object') return {};
  if ('target' in content) return { change: content };
  return { content, ...(quotedMessageId !== undefined && { quotedMessageId }) };
}

function lost(state: KnownMessage, handedOverAt: number): MessageEvent {
  const { mode, acceptedAt } = state;
  const data = {
    mode,
    acceptedAt,
    previousStatus: statusWord(state),
    handedOverAt: iso(handedOverAt),
    day: dayOf(handedOverAt),
  };
  return { type: 'OutcomeLost', data: { ...state.facts, ...data } };
}

function refused(state: KnownMessage, command: Extract<MessageCommand, { type: 'RefuseDelivery' }>): MessageEvent {
  const { error, at, handedOverAt } = command;
  const backoff = state.mode === 'durable' ? backoffs[state.attempts] : undefined;
  if (backoff === undefined) return failed(state, command);
  const {
    mode,
    acceptedAt,
    facts: { to: _, ...facts },
  } = state;
  const handed = handedOverAt === undefined ? {} : { handedOverAt: iso(handedOverAt) };
  const attempt = { attempt: state.attempts + 1, error, day: dayOf(at), ...handed, nextAttemptAt: iso(at + backoff) };
  return { type: 'DeliveryAttemptFailed', data: { ...facts, mode, acceptedAt, ...attempt } };
}

function failed(
  state: KnownMessage,
  { error, at, handedOverAt }: { error: Failure; at: number; handedOverAt?: number },
): MessageEvent {
  const handed = handedOverAt === undefined ? {} : { handedOverAt: iso(handedOverAt) };
  const data = { previousStatus: statusWord(state), error, failedAt: iso(at), ...handed, place: placeOf(state, at) };
  return { type: 'MessageFailed', data: { ...state.facts, ...data } };
}

const rank: Readonly<Record<KnownMessage['status'], number>> = {
  accepted: 0,
  unknown: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  played: 4,
  failed: 5,
};

/** A status never moves backwards, and what has failed stays so. */
function recordReceipt(
  command: Extract<MessageCommand, { type: 'RecordReceipt' }>,
  state: KnownMessage,
): readonly MessageEvent[] {
  if (rank[command.status] <= rank[state.status]) return [];
  const receipt = (previousStatus: 'sent' | ReceiptStatus): MessageEvent => ({
    type: 'ReceiptRecorded',
    data: { ...state.facts, previousStatus, status: command.status, at: iso(command.at) },
  });
  if (!isOpen(state)) return [receipt(state.status as 'sent' | ReceiptStatus)];
  if (!command.confirms) throw new Refused('CONFLICT', 'The message is not known to be sent.');
  return [sent(state, command.at), receipt('sent')];
}

/** A message on its way to the network. */
export const message: Decider<Message, MessageCommand, MessageEvent> = { initial: { status: 'none' }, decide, evolve };

/** `message-<messageId>`: the recipient and the content are personal data of the organization. */
export const messageStream: StreamType<Message, MessageCommand, MessageEvent> = {
  name: 'message',
  decider: message,
  ends: true,
  // What waits, or is not settled, may wait for longer than events are kept.
  stillOpen: async (sql, ids) => {
    const rows = await sql.query<{ message_id: string }>(
      'SELECT message_id FROM {schema}.queue WHERE message_id = ANY ($1::uuid[])',
      [ids],
    );
    return rows.map(({ message_id }) => message_id);
  },
  events: {
    MessageAccepted: { version: 1, personal: ['to', 'content'] },
    MessageSent: { version: 1, personal: ['to', 'change', 'content'] },
    OutcomeLost: { version: 1, personal: ['to'] },
    DeliveryAttemptFailed: { version: 1 },
    MessageFailed: { version: 1, personal: ['to'] },
    SettlementAbandoned: { version: 1 },
    ReceiptRecorded: { version: 1, personal: ['to'] },
  },
};

/** A message that was accepted, wherever it stands now. */
export interface KnownMessage {
  readonly status: 'accepted' | 'unknown' | 'sent' | ReceiptStatus | 'failed';
  readonly facts: MessageFacts;
  readonly content: OutgoingContentOf;
  readonly quotedMessageId?: string;
  readonly mode: SendMode;
  /** ISO 8601 */
  readonly acceptedAt: string;
  /** Attempts that the network refused. */
  readonly attempts: number;
  /** The day whose limit holds the place of an `unknown` message. */
  readonly uncertainDay?: string;
  /** ISO 8601, once the network took it. */
  readonly handedOverAt?: string;
  readonly error?: Failure;
}

export type Message = { readonly status: 'none' } | KnownMessage;

/** Its lane still has something to do for it. */
export const isOpen = ({ status }: KnownMessage): boolean => status === 'accepted' || status === 'unknown';

export const isKnown = (message: Message): message is KnownMessage => message.status !== 'none';

/** How far a message has come, as the API says it. */
const statusWord = ({ status, mode }: KnownMessage): StatusWord =>
  status === 'accepted' ? (mode === 'durable' ? 'queued' : 'sending') : status;

export function evolve(state: Message, event: MessageEvent): Message {
  if (event.type === 'MessageAccepted') {
    const { content, mode, acceptedAt, quotedMessageId, day: _day, ...facts } = event.data;
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    return { status: 'accepted', facts, content, ...quoted, mode, acceptedAt, attempts: 0 };
  }
  if (!isKnown(state)) return state;
  switch (event.type) {
    case 'MessageSent':
      return { ...state, status: 'sent', handedOverAt: event.data.handedOverAt };
    case 'OutcomeLost':
      return { ...state, status: 'unknown', uncertainDay: event.data.day };
    case 'DeliveryAttemptFailed':
      return { ...state, attempts: event.data.attempt };
    case 'MessageFailed':
      return { ...state, status: 'failed', error: event.data.error };
    case 'SettlementAbandoned':
      return state;
    case 'ReceiptRecorded':
      return { ...state, status: event.data.status };
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The id under which the network knows a message, fixed before the first attempt: the same for every attempt. */
export function networkMessageIdOf(messageId: string): string {
  return `3EB0${sha256(messageId).slice(0, 18).toUpperCase()}`;
}

/**
 * The id of the message that a repeated Idempotency-Key makes after an answer that is not kept (409, 429): keeps the
 * time of the UUIDv7, so that a chain of repeats is the same wherever it is followed.
 */
export function nextMessageIdOf(messageId: string): string {
  const digest = sha256(`next ${messageId}`);
  return `${messageId.slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

export type Origin = DataOf<typeof MessageSentContract>['origin'];
/** A type of message, or the change of one that exists. */
export type MessageType = OutgoingContentOf['type'];
/** Whether it changes another message and is none of its own. */
export const isChange = (type: MessageType): type is ChangeType => type === 'reaction' || type === 'delete';
export type SendMode = 'synchronous' | 'durable';
type ReceiptStatus = 'delivered' | 'read' | 'played';
/** The status as the API says it. */
export type StatusWord = 'queued' | 'sending' | 'unknown' | 'sent' | ReceiptStatus | 'failed';

/** An error code of the contracts, or the reason of a message that expired, and one sentence. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Of a message whose outcome stays unknown, where somebody waits for an end. */
export const neverTold: Failure = {
  code: 'ENGINE_TIMEOUT',
  message: 'The network has never told whether it took the message.',
};

/** A change of a message that exists, as it was handed to the network. */
type ChangeContent = Extract<OutgoingContentOf, { type: ChangeType }>;

/** What every event of a message says of it, so that each can be told on its own. */
export interface MessageFacts {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly networkMessageId: string;
  /** JID of the chat. */
  readonly to: string;
  readonly type: MessageType;
  readonly origin: Origin;
}

/** The place in a day's limit that a message gives up or turns into a sent one. */
interface Place {
  /** `reserved` moves to the new day at midnight; `uncertain` stays with the day on which the outcome was lost. */
  readonly kind: 'reserved' | 'uncertain';
  readonly day: string;
}

/** What its lane goes by while it is open. */
interface Turn {
  readonly mode: SendMode;
  readonly acceptedAt: string;
}

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type MessageAccepted = Fact<
  'MessageAccepted',
  MessageFacts &
    Turn & {
      readonly content: OutgoingContentOf;
      readonly quotedMessageId?: string;
      readonly day: string;
    }
>;
/** The network took it. `place.day` is the day in whose limit it counts. */
type SentData = MessageFacts & {
  readonly previousStatus: StatusWord;
  readonly handedOverAt: string;
  readonly place: Place;
  /** What was done to a message that exists, when it was a change. */
  readonly change?: ChangeContent;
  /** What it says, when it was none; absent in entries of earlier versions. */
  readonly content?: MessageContentOf;
  readonly quotedMessageId?: string;
};
export type MessageSent = Fact<'MessageSent', SentData>;
/** It may have left, and nobody knows. */
export type OutcomeLost = Fact<
  'OutcomeLost',
  MessageFacts &
    Turn & {
      readonly previousStatus: StatusWord;
      readonly handedOverAt: string;
      readonly day: string;
    }
>;
/** The network refused it and it will be tried again. */
export type DeliveryAttemptFailed = Fact<
  'DeliveryAttemptFailed',
  Omit<MessageFacts, 'to'> &
    Turn & {
      readonly attempt: number;
      readonly error: Failure;
      readonly day: string;
      readonly handedOverAt?: string;
      readonly nextAttemptAt: string;
    }
>;
type MessageFailed = Fact<
  'MessageFailed',
  MessageFacts & {
    readonly previousStatus: StatusWord;
    readonly error: Failure;
    readonly failedAt: string;
    readonly handedOverAt?: string;
    readonly place: Place;
  }
>;
/** The outcome stays unknown for good; only a receipt can still tell it. */
type SettlementAbandoned = Fact<'SettlementAbandoned', { readonly messageId: string; readonly profileId: string }>;
type ReceiptRecorded = Fact<
  'ReceiptRecorded',
  MessageFacts & {
    readonly previousStatus: StatusWord;
    readonly status: ReceiptStatus;
    readonly at: string;
  }
>;

export type MessageEvent =
  | MessageAccepted
  | MessageSent
  | OutcomeLost
  | DeliveryAttemptFailed
  | MessageFailed
  | SettlementAbandoned
  | ReceiptRecorded;
