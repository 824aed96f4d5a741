import {
  conversationIdOf,
  type DataOf,
  type MessageAccepted,
  type MessageStatusChanged,
  type SessionMessage,
  type SessionMessageChanged,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';

export type Accepted = DataOf<typeof MessageAccepted>;
export type Arrived = DataOf<typeof SessionMessage>;

/** The fact that outbound tells of a text to a contact. */
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
  message: Accepted,
  next: DataOf<typeof MessageStatusChanged>['status'],
): DataOf<typeof MessageStatusChanged> => ({ ...sent(message), status: next, previousStatus: 'sent' });

const person = (phone: string) => ({ jid: `${phone}@c.us`, phone });

/** The fact that sessions tells of a text from a contact. */
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

export type Changed = DataOf<typeof SessionMessageChanged>;
export type Target = Changed['target'];
export type Change = Changed['change'];

export const incoming = (networkMessageId: string): Target => ({ networkMessageId, fromMe: false });
export const outgoing = (networkMessageId: string): Target => ({ networkMessageId, fromMe: true });
export const edited = (text: string): Change => ({ type: 'edited', content: { type: 'text', content: { text } } });
export const reacted = (emoji: string): Change => ({ type: 'reacted', emoji });
export const revoked: Change = { type: 'revoked' };
export const voted = (...options: string[]): Change => ({ type: 'voted', options });

/** The fact that sessions tells of a change by a contact. */
export function changed(
  profileId: string,
  phone: string,
  target: Target,
  change: Change,
  differences: Partial<Changed> = {},
): Changed {
  const at = '2026-02-01T10:00:00.000Z';
  const who = person(phone);
  return { profileId, chat: who, author: who, fromMe: false, target, at, change, delivery: 'live', ...differences };
}

/** Changes of each sort, of a message that went out. */
export const changesOf = (networkMessageId: string): readonly (readonly [Target, Change])[] => [
  [outgoing(networkMessageId), reacted('👍')],
  [outgoing(networkMessageId), reacted('')],
  [outgoing('3EB0NEVERCAME'), reacted('🎉')],
];

export const pictureKey =
  '0198c0de-0000-7000-8000-000000000001/0198c0de-0000-7000-8000-000000000002/0198c0de-0000-7000-8000-000000000003';
export const picture: Arrived['content'] = {
  type: 'image',
  content: { caption: 'Harbour', media: { key: pictureKey, mimetype: 'image/png', size: 68 } },
};
