import {
  MessageDeleted,
  MessageEdited,
  MessageReaction,
  MessageReceived,
  MessageSent,
  MessageVote,
  type DataOf,
  type RecordContentOf,
} from '@messaging-gateway/contracts';
import { publication, type Publication, type Publish } from '@messaging-gateway/service';
import type { ContactEvent } from './contact/contact.ts';
import { toldOfContact } from './contact/publishing.ts';
import type { ChangeEvent } from './message/change.ts';
import type { Incoming, Outgoing } from './message/message.ts';

/** Facts that the inbox tells. History is told to nobody. */
export const publish: Publish = (entry) => {
  switch (entry.type) {
    case 'IncomingStored': {
      const incoming = entry.data as unknown as Incoming;
      return incoming.delivery === 'history' ? [] : [publication(MessageReceived, received(incoming))];
    }
    case 'OutgoingStored': {
      const outgoing = entry.data as unknown as Outgoing;
      return outgoing.origin === 'phone' && !outgoing.silent && outgoing.type !== 'unsupported'
        ? [publication(MessageSent, sentByPhone(outgoing))]
        : [];
    }
    case 'MessageEdited':
    case 'MessageRevoked':
    case 'MessageReacted':
    case 'MessageVoted':
      return changed({ type: entry.type, data: entry.data } as unknown as ChangeEvent);
    case 'ContactSaved':
    case 'ContactDeleted':
      return toldOfContact({ type: entry.type, data: entry.data } as unknown as ContactEvent);
    default:
      return [];
  }
};

function changed(event: ChangeEvent): readonly Publication[] {
  const { chat: from, author, at, delivery, messageId, networkMessageId, conversationId, fromMe } = event.data;
  if (delivery === 'history') return [];
  const which = {
    messageId,
    networkMessageId,
    conversationId,
    from,
    ...(from.endsWith('@g.us') && author !== undefined && { author }),
    fromMe,
    timestamp: at,
    ...(delivery === 'replayed' && { replayed: true }),
  };
  switch (event.type) {
    case 'MessageEdited': {
      const body = bodyOf(event.data.content);
      return [publication(MessageEdited, { ...which, ...(body !== undefined && { body }) })];
    }
    case 'MessageRevoked':
      return [publication(MessageDeleted, which)];
    case 'MessageReacted':
      return [publication(MessageReaction, { ...which, emoji: event.data.emoji })];
    case 'MessageVoted':
      return [publication(MessageVote, { ...which, options: [...event.data.options] })];
  }
}

const bodyOf = (content: object): string | undefined => {
  const { text, caption } = content as { text?: string; caption?: string };
  return text ?? caption;
};

function received(message: Incoming): DataOf<typeof MessageReceived> {
  const body = bodyOf(message.content);
  const { media } = message.content as Extract<RecordContentOf, { media: unknown }>;
  const { messageId: id, networkMessageId, conversationId, chat, author, quotedMessageId, type, timestamp } = message;
  return {
    id,
    networkMessageId,
    conversationId,
    from: chat,
    ...(chat.endsWith('@g.us') && { author }),
    ...(message.to !== undefined && { to: message.to }),
    ...(body !== undefined && { body }),
    type,
    hasMedia: media !== undefined,
    ...(media !== undefined && { media }),
    ...(quotedMessageId !== undefined && { quotedMessageId }),
    timestamp,
    ...(message.delivery === 'replayed' && { replayed: true }),
  };
}

function sentByPhone({
  messageId,
  networkMessageId,
  chat,
  type,
  conversationId,
}: Outgoing): DataOf<typeof MessageSent> {
  return {
    messageId,
    networkMessageId: networkMessageId ?? '',
    to: chat,
    type,
    conversationId,
    origin: 'phone',
  } as DataOf<typeof MessageSent>;
}
