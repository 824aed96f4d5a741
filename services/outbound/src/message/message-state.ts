import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { Failure, MessageEvent, MessageFacts, ReceiptStatus, SendMode, StatusWord } from './message-events.ts';

/** A message that was accepted, wherever it stands now. */
export interface KnownMessage {
  readonly status: 'accepted' | 'unknown' | 'sent' | ReceiptStatus | 'failed';
  readonly facts: MessageFacts;
  readonly content: OutgoingContentOf;
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
export const statusWord = ({ status, mode }: KnownMessage): StatusWord =>
  status === 'accepted' ? (mode === 'durable' ? 'queued' : 'sending') : status;

export function evolve(state: Message, event: MessageEvent): Message {
  if (event.type === 'MessageAccepted') {
    const { content, mode, acceptedAt, quotedMessageId: _quoted, day: _day, ...facts } = event.data;
    return { status: 'accepted', facts, content, mode, acceptedAt, attempts: 0 };
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
