import type { StreamType } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from './message-events.ts';
import type { Message } from './message-state.ts';
import { message, type MessageCommand } from './message.ts';

/** `message-<messageId>`: the recipient and the content are personal data of the organization. */
export const messageStream: StreamType<Message, MessageCommand, MessageEvent> = {
  name: 'message',
  decider: message,
  ends: true,
  events: {
    MessageAccepted: { version: 1, personal: ['to', 'content'] },
    MessageSent: { version: 1, personal: ['to', 'change'] },
    OutcomeLost: { version: 1, personal: ['to'] },
    DeliveryAttemptFailed: { version: 1 },
    MessageFailed: { version: 1, personal: ['to'] },
    SettlementAbandoned: { version: 1 },
    ReceiptRecorded: { version: 1, personal: ['to'] },
  },
};
