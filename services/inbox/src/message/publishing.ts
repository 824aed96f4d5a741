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
import { publication, tells, type Publication } from '@messaging-gateway/service';
import type { ChangeEvent } from './change.ts';
import { messageStream, type Incoming, type Outgoing } from './message.ts';

/** Facts that are told of messages. History is told to nobody. */
export const messagesTell = tells(messageStream, {
  IncomingStored: ({ data }) => (data.delivery === 'history' ? [] : [publication(MessageReceived, received(data))]),
  OutgoingStored: ({ data }) =>
    data.origin === 'phone' && !data.silent && data.type !== 'unsupported'
      ? [publication(MessageSent, sentByPhone(data))]
      : [],
  MessageEdited: changed,
  MessageRevoked: changed,
  MessageReacted: changed,
  MessageVoted: changed,
});

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
