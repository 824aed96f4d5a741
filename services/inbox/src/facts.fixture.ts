import {
  conversationIdOf,
  type DataOf,
  type MessageAccepted,
  type MessageStatusChanged,
  type SessionMessage,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';

export type Accepted = DataOf<typeof MessageAccepted>;
export type Arrived = DataOf<typeof SessionMessage>;

/** What outbound tells of a text to a contact. */
export function accepted(profileId: string, to: string, text: string): Accepted {
  const messageId = v7();
  return {
    messageId,
    profileId,
    conversationId: conversationIdOf(profileId, to),
    networkMessageId: networkIdOf(messageId),
    to,
    type: 'text',
    content: { type: 'text', content: { text } },
    origin: 'api',
    mode: 'synchronous',
    acceptedAt: new Date().toISOString(),
  };
}

export const networkIdOf = (id: string): string => `3EB0${id.replaceAll('-', '').slice(-16).toUpperCase()}`;

export const sent = ({ messageId, networkMessageId, to, type, conversationId, origin }: Accepted) => ({
  messageId,
  networkMessageId,
  to,
  type,
  conversationId,
  origin,
});

export const status = (
  { messageId, networkMessageId, to }: Accepted,
  next: DataOf<typeof MessageStatusChanged>['status'],
): DataOf<typeof MessageStatusChanged> => ({ messageId, networkMessageId, status: next, previousStatus: 'sent', to });

const person = (phone: string) => ({ jid: `${phone}@c.us`, phone });

/** What sessions tells of a text from a contact. */
export function arrived(profileId: string, phone: string, text: string, differences: Partial<Arrived> = {}): Arrived {
  return {
    profileId,
    networkMessageId: networkIdOf(v7()),
    chat: person(phone),
    author: person(phone),
    fromMe: false,
    pushName: 'Ada',
    sentAt: new Date(Math.floor(Date.now() / 1000) * 1000).toISOString(),
    content: { type: 'text', content: { text } },
    delivery: 'live',
    ...differences,
  };
}
