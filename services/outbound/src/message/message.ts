import { createHash } from 'node:crypto';
import { conversationIdOf, type ChangeType, type OutgoingContentOf } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { dayOf } from '../time/clock.ts';
import type {
  Failure,
  MessageEvent,
  MessageFacts,
  MessageType,
  Place,
  ReceiptStatus,
  SendMode,
  SentData,
  StatusWord,
  Terms,
} from './events.ts';

export * from './events.ts';

/** Whether a type is that of a change of another message, and of none of its own. */
export const isChange = (type: MessageType): type is ChangeType => type === 'reaction' || type === 'delete';

/** All times in milliseconds since 1970. */
export type MessageCommand =
  | {
      readonly type: 'AcceptMessage';
      readonly facts: MessageFacts;
      readonly content: OutgoingContentOf;
      readonly quotedMessageId?: string;
      readonly mode: SendMode;
      readonly terms?: Terms;
      readonly templateId?: string;
      readonly isCode?: true;
      readonly at: number;
    }
  /** `to`: JID that the network returned for the recipient, when it is another one. */
  | { readonly type: 'ConfirmSent'; readonly handedOverAt: number; readonly to?: string }
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
  /** The message will not be handed over: withdrawn, expired, without a connection, over the limit, profile deleted. */
  | { readonly type: 'GiveUp'; readonly error: Failure; readonly at: number }
  /** The message has never left: a synchronous one is not sent later. */
  | { readonly type: 'ReportNeverSeen'; readonly at: number }
  | { readonly type: 'AbandonSettlement' }
  /** `confirms`: a receipt that overtakes the acknowledgement proves that the network took the message. */
  | { readonly type: 'RecordReceipt'; readonly status: ReceiptStatus; readonly at: number; readonly confirms: boolean };

/** Attempts in all of a message that is queued, unless its terms say otherwise. */
const usualAttempts = 3;
/** Waits after the first refused attempt and, at most, after later ones, milliseconds; each is four times the one before. */
const firstBackoff = 1000;
const longestBackoff = 60_000;

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
      return isOpen(state) ? [sent(state, command.handedOverAt, command.to)] : [];
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
              data: {
                messageId: state.facts.messageId,
                profileId: state.facts.profileId,
                ...(state.terms !== undefined && { origin: state.facts.origin }),
                ...attemptsOf(state, state.attempts + 1),
              },
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
  terms,
  templateId,
  isCode,
  at,
}: Extract<MessageCommand, { type: 'AcceptMessage' }>): MessageEvent[] {
  const data = {
    ...facts,
    content,
    ...(quotedMessageId !== undefined && { quotedMessageId }),
    mode,
    ...(terms !== undefined && { terms }),
    ...(templateId !== undefined && { templateId }),
    ...(isCode !== undefined && { isCode }),
    acceptedAt: iso(at),
    day: dayOf(at),
  };
  return [{ type: 'MessageAccepted', data }];
}

/** Attempts, as told of messages of other services, which show them. */
const attemptsOf = ({ terms }: KnownMessage, attempts: number): { readonly attempts?: number } =>
  terms === undefined ? {} : { attempts };

/** An unknown message keeps the place of the day on which its outcome was lost. */
const placeOf = ({ uncertainDay }: KnownMessage, at: number): Place =>
  uncertainDay === undefined ? { kind: 'reserved', day: dayOf(at) } : { kind: 'uncertain', day: uncertainDay };

function sent(state: KnownMessage, handedOverAt: number, returned?: string): MessageEvent {
  const data = {
    previousStatus: statusWord(state),
    handedOverAt: iso(handedOverAt),
    place: placeOf(state, handedOverAt),
    ...attemptsOf(state, state.attempts + 1),
    ...saidOf(state),
  };
  const { to: requestedTo, profileId } = state.facts;
  const address =
    returned === undefined || returned === requestedTo
      ? {}
      : { to: returned, conversationId: conversationIdOf(profileId, returned), requestedTo };
  return { type: 'MessageSent', data: { ...state.facts, ...address, ...data } };
}

/** The content of a message, or its change of another message, unless it was erased meanwhile. */
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
  if (isLastAttempt(state, error)) return failed(state, { ...command, attempts: state.attempts + 1 });
  const backoff = Math.min(firstBackoff * 4 ** state.attempts, longestBackoff);
  const {
    mode,
    acceptedAt,
    facts: { to: _, ...facts },
  } = state;
  const handed = handedOverAt === undefined ? {} : { handedOverAt: iso(handedOverAt) };
  const attempt = { attempt: state.attempts + 1, error, day: dayOf(at), ...handed, nextAttemptAt: iso(at + backoff) };
  return { type: 'DeliveryAttemptFailed', data: { ...facts, mode, acceptedAt, ...attempt } };
}

/** With terms of its own, a number that is not on the network is not tried again. */
function isLastAttempt({ mode, terms, attempts }: KnownMessage, { code }: Failure): boolean {
  if (mode !== 'durable') return true;
  if (terms !== undefined && code === 'RECIPIENT_UNKNOWN') return true;
  return attempts + 1 >= (terms?.attempts ?? usualAttempts);
}

/** @param attempts those made; default: the ones that were refused before */
function failed(state: KnownMessage, { error, at, handedOverAt, attempts = state.attempts }: Failing): MessageEvent {
  const handed = handedOverAt === undefined ? {} : { handedOverAt: iso(handedOverAt) };
  const data = {
    previousStatus: statusWord(state),
    error,
    failedAt: iso(at),
    ...handed,
    place: placeOf(state, at),
    ...attemptsOf(state, attempts),
  };
  return { type: 'MessageFailed', data: { ...state.facts, ...data } };
}

interface Failing {
  readonly error: Failure;
  readonly at: number;
  readonly handedOverAt?: number;
  readonly attempts?: number;
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
    MessageSent: { version: 1, personal: ['to', 'requestedTo', 'change', 'content'] },
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
  readonly terms?: Terms;
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

/** Whether the lane of a message still has something to do for it. */
export const isOpen = ({ status }: KnownMessage): boolean => status === 'accepted' || status === 'unknown';

export const isKnown = (message: Message): message is KnownMessage => message.status !== 'none';

/** How far a message has come, as the API says it. */
const statusWord = ({ status, mode }: KnownMessage): StatusWord =>
  status === 'accepted' ? (mode === 'durable' ? 'queued' : 'sending') : status;

export function evolve(state: Message, event: MessageEvent): Message {
  if (event.type === 'MessageAccepted') {
    const {
      content,
      mode,
      terms,
      acceptedAt,
      quotedMessageId,
      day: _day,
      templateId: _template,
      isCode: _isCode,
      ...facts
    } = event.data;
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    const own = terms === undefined ? {} : { terms };
    return { status: 'accepted', facts, content, ...quoted, mode, ...own, acceptedAt, attempts: 0 };
  }
  if (!isKnown(state)) return state;
  switch (event.type) {
    case 'MessageSent':
      return {
        ...state,
        facts: { ...state.facts, to: event.data.to, conversationId: event.data.conversationId },
        status: 'sent',
        handedOverAt: event.data.handedOverAt,
      };
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
