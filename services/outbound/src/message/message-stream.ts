import type { StreamType } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from './message-events.ts';
import type { Message } from './message-state.ts';
import { message, type MessageCommand } from './message.ts';

/** `message-<messageId>`: the recipient and the content are personal data of the organization. */
export const messageStream: StreamType<Message, MessageCommand, MessageEvent> = {
  name: 'message',
  decider: message,
  ends: true,
  // What waits, or is not settled, may wait for longer than events are kept.
  stillOpen: async (sql, ids) => {
    const rows = await sql.query<{ message_id: string }>(
      'select message_id from {schema}.queue where message_id = any ($1::uuid[])',
      [ids],
    );
    return rows.map(({ message_id }) => message_id);
  },
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
