import {
  MessageDeleted,
  MessageEdited,
  MessageMedia,
  MessageReaction,
  MessageReceived,
  MessageRecovered,
  MessageSent,
  MessageVote,
  type DataOf,
  shownContent,
} from '@messaging-gateway/contracts';
import { publication, tells, type Publication } from '@messaging-gateway/service';
import { replacedMedia, type ChangeEvent } from './change.ts';
import { messageStream, type Incoming, type Outgoing } from './message.ts';

/** Facts that are told of messages. History is told to nobody. */
export const messagesTell = tells(messageStream, {
  IncomingStored: ({ data }) => (data.delivery === 'history' ? [] : [publication(MessageReceived, received(data))]),
  MessageRecovered: ({ data }) => [publication(MessageRecovered, received(data))],
  OutgoingStored: ({ data }) => (data.origin === 'phone' && !data.silent ? sentByPhone(data) : []),
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
      const media = replacedMedia(event.data.content);
      if (media !== undefined) return [publication(MessageMedia, { messageId, conversationId, media })];
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
  const content = shownContent(message.type, message.content);
  const media = 'media' in content ? content.media : undefined;
  const { messageId: id, networkMessageId, conversationId, chat, author, quotedMessageId, type, timestamp } = message;
  const { pushName, quotedNetworkMessageId, quotedBody, quotedFields } = message;
  return {
    id,
    networkMessageId,
    conversationId,
    from: chat,
    ...(chat.endsWith('@g.us') && { author }),
    ...(message.to !== undefined && { to: message.to }),
    ...(pushName !== undefined && { pushName }),
    ...(body !== undefined && { body }),
    type,
    content,
    hasMedia: media !== undefined,
    ...(media !== undefined && { media }),
    ...(quotedMessageId !== undefined && { quotedMessageId }),
    ...(quotedNetworkMessageId !== undefined && {
      quoted: {
        networkMessageId: quotedNetworkMessageId,
        ...(quotedBody !== undefined && { body: quotedBody }),
        ...quotedFields,
      },
    }),
    ...(message.broadcast === true && { broadcast: true as const }),
    timestamp,
    ...(message.delivery === 'replayed' && { replayed: true }),
    ...(message.firstEver === true && { firstEver: true as const }),
  };
}

function sentByPhone(message: Outgoing): readonly Publication[] {
  const { messageId, networkMessageId, chat, type, conversationId, content, quotedMessageId, timestamp } = message;
  if (type === 'unsupported') return [];
  return [
    publication(MessageSent, {
      messageId,
      networkMessageId: networkMessageId ?? '',
      to: chat,
      // Readers of the first version know no stickers.
      type: type === 'sticker' ? 'image' : type,
      conversationId,
      origin: 'phone',
      content: shownContent(type, content),
      ...(quotedMessageId !== undefined && { quotedMessageId }),
      timestamp,
    }),
  ];
}
