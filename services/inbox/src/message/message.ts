import type { MessageStatusWord, QuotedFieldsOf, RecordContentOf, StoredType } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import {
  afterChange,
  changeOf,
  failingOf,
  type Change,
  type ChangeEvent,
  type Failing,
  type Response,
} from './change.ts';
import { advances } from './status.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

interface Common {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly networkMessageId?: string;
  /** JID of the chat. */
  readonly chat: string;
  readonly from?: string;
  readonly to?: string;
  readonly type: StoredType;
  readonly content: RecordContentOf;
  readonly quotedMessageId?: string;
  readonly quotedNetworkMessageId?: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** A message to the network, as outbound accepted it or as the owner wrote it on the phone. */
export interface Outgoing extends Common {
  readonly origin: string;
  /** A one-time code. */
  readonly isCode?: true;
  readonly status: MessageStatusWord;
  readonly error?: Failure;
  /** Handed over by the phone as history: stored, not told. */
  readonly silent: boolean;
}

/** A message from the network. */
export interface Incoming extends Common {
  readonly networkMessageId: string;
  readonly author: string;
  readonly pushName?: string;
  /** Text of the message that it answers, as the sender's client shows it. */
  readonly quotedBody?: string;
  /** Type and small fields of that message. */
  readonly quotedFields?: QuotedFieldsOf;
  /** Its author wrote it to a broadcast list. */
  readonly broadcast?: true;
  /** The first that its author has ever written to the profile, in a chat of two. */
  readonly firstEver?: true;
  readonly delivery: 'live' | 'replayed' | 'history';
}

export interface Progress {
  readonly messageId: string;
  /** JID that the network returned for the recipient, when it is another one than the record has. */
  readonly to?: string;
  readonly status: MessageStatusWord;
  readonly error?: Failure;
}

export type MessageEvent =
  | { type: 'OutgoingStored'; data: Outgoing }
  | { type: 'IncomingStored'; data: Incoming }
  /** The content of a message that was stored without it. */
  | { type: 'MessageRecovered'; data: Incoming }
  /** `stored`: the message itself was there before; otherwise the fact waits for it. */
  | { type: 'StatusChanged'; data: Progress & { readonly stored: boolean; readonly failing?: Failing } }
  | ChangeEvent
  /** The message was deleted here; its receivers keep it. */
  | { type: 'MessageRemoved'; data: { readonly messageId: string } };

export type MessageCommand =
  | { type: 'StoreOutgoing'; message: Outgoing }
  | { type: 'StoreIncoming'; message: Incoming }
  | { type: 'Recover'; message: Incoming }
  | { type: 'NoteStatus'; progress: Progress }
  | { type: 'Change'; change: Change }
  | { type: 'Remove'; messageId: string };

export interface Message {
  readonly stored: boolean;
  /** Of an outgoing message: where it stands. */
  readonly place?: Pick<Common, 'profileId' | 'conversationId'>;
  readonly status?: MessageStatusWord;
  readonly error?: Failure;
  /** JID that the network returned for the recipient, if it is another one than the requested one. */
  readonly to?: string;
  readonly type?: string;
  readonly removed?: boolean;
  /** It arrived without content, which may still come. */
  readonly isUnavailable?: boolean;
  /** ISO 8601. */
  readonly editedAt?: string;
  /** Last response of each person, by kind and person. */
  readonly responses?: Readonly<Record<string, Response>>;
}

function decide(command: MessageCommand, state: Message): readonly MessageEvent[] {
  switch (command.type) {
    case 'StoreOutgoing': {
      if (state.stored) return [];
      // What was told before the message itself has waited in the state.
      const ahead = state.status !== undefined && advances(command.message.status, state.status);
      const known = ahead ? { status: state.status, ...(state.error && { error: state.error }) } : {};
      const { to } = state;
      return [{ type: 'OutgoingStored', data: { ...command.message, ...known, ...(to !== undefined && { to }) } }];
    }
    case 'StoreIncoming':
      return state.stored ? [] : [{ type: 'IncomingStored', data: command.message }];
    case 'Recover':
      return state.isUnavailable === true ? [{ type: 'MessageRecovered', data: command.message }] : [];
    case 'NoteStatus': {
      const { to, status: next } = command.progress;
      const isReaddressed = to !== undefined && to !== state.to;
      const isAdvance = advances(state.status, next);
      if (state.removed === true || !(isAdvance || isReaddressed)) return [];
      // The address can come after a later status: that one stays.
      const status = isAdvance ? next : (state.status ?? next);
      const failing = failingOf(state, status);
      return [{ type: 'StatusChanged', data: { ...command.progress, status, stored: state.stored, ...failing } }];
    }
    case 'Change':
      // What is still to be stored is waited for elsewhere (see `waiting-changes.ts`).
      return state.stored && state.removed !== true ? changeOf(command.change, state) : [];
    case 'Remove':
      if (!state.stored || state.removed === true) return [];
      return [{ type: 'MessageRemoved', data: { messageId: command.messageId } }];
  }
}

function evolve(state: Message, event: MessageEvent): Message {
  switch (event.type) {
    case 'OutgoingStored': {
      const { profileId, conversationId, status, type } = event.data;
      return { stored: true, place: { profileId, conversationId }, status, type };
    }
    case 'IncomingStored':
      return { ...incoming(event.data), ...(isUnavailable(event.data) && { isUnavailable: true }) };
    case 'MessageRecovered': {
      const { isUnavailable: _, ...before } = state;
      return { ...before, ...incoming(event.data) };
    }
    case 'StatusChanged': {
      const { error: _, ...before } = state;
      const { status, error, to } = event.data;
      return { ...before, status, ...(error && { error }), ...(to !== undefined && { to }) };
    }
    case 'MessageRemoved':
      return { stored: true, removed: true };
    case 'MessageEdited':
    case 'MessageRevoked':
    case 'MessageReacted':
    case 'MessageVoted': {
      const { isUnavailable: waits, ...before } = { ...state, ...afterChange(event, state) };
      return waits === true && before.status !== 'deleted' ? { ...before, isUnavailable: waits } : before;
    }
  }
}

const incoming = ({ type }: Incoming): Message => ({ stored: true, status: 'received', type });
const isUnavailable = ({ content }: Incoming): boolean => 'kind' in content && content.kind === 'unavailable';

/** One stored message: taken in once, its status never moving backwards, in whichever order facts arrive. */
export const message: Decider<Message, MessageCommand, MessageEvent> = { initial: { stored: false }, decide, evolve };

const written = ['chat', 'from', 'to', 'content'] as const;
const personalOfIncoming = ['author', 'pushName', 'quotedBody', 'quotedFields'] as const;

export const messageStream: StreamType<Message, MessageCommand, MessageEvent> = {
  name: 'message',
  decider: message,
  events: {
    OutgoingStored: { version: 1, personal: written },
    IncomingStored: { version: 1, personal: [...written, ...personalOfIncoming] },
    MessageRecovered: { version: 1, personal: [...written, ...personalOfIncoming] },
    StatusChanged: { version: 1, personal: ['to'] },
    MessageEdited: { version: 1, personal: ['chat', 'author', 'content'] },
    MessageRevoked: { version: 1, personal: ['chat', 'author'] },
    MessageReacted: { version: 1, personal: ['chat', 'author', 'emoji'] },
    MessageVoted: { version: 1, personal: ['chat', 'author', 'options'] },
    MessageRemoved: { version: 1 },
  },
};
