import { MessageReceived, MessageSent, type DataOf } from '@messaging-gateway/contracts';
import { publication, type Publish } from '@messaging-gateway/service';
import type { ContactEvent } from './contact/contact.ts';
import { toldOfContact } from './contact/publishing.ts';
import type { Incoming, Outgoing } from './message/message.ts';

/** What the inbox tells the others. History is told to nobody. */
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
    case 'ContactSaved':
    case 'ContactDeleted':
      return toldOfContact({ type: entry.type, data: entry.data } as unknown as ContactEvent);
    default:
      return [];
  }
};

function received(message: Incoming): DataOf<typeof MessageReceived> {
  const { text } = message.content as { text?: string };
  const { messageId: id, networkMessageId, conversationId, chat, author, quotedMessageId, type, timestamp } = message;
  return {
    id,
    networkMessageId,
    conversationId,
    from: chat,
    ...(chat.endsWith('@g.us') && { author }),
    ...(message.to !== undefined && { to: message.to }),
    ...(text !== undefined && { body: text }),
    type,
    hasMedia: false,
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
