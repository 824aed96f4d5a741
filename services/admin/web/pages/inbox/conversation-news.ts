import type { Conversation, Message } from '../../messages/shapes.ts';

/** Whether a conversation already has something newer than a message. Ids grow with the time also within a second. */
export const isOlder = (message: Message, { lastMessage, lastMessageAt }: Conversation): boolean =>
  message.timestamp === lastMessageAt && lastMessage !== null
    ? message.id < lastMessage.id
    : message.timestamp < (lastMessageAt ?? '');

/**
 * A conversation after a message came into it. One that was read after the message was stored has it already: then it stays as it is.
 *
 * @param isUnread whether the message counts as unread
 */
export function withMessage(conversation: Conversation, message: Message, isUnread: boolean): Conversation {
  if (isOlder(message, conversation) || conversation.lastMessage?.id === message.id) return conversation;
  return {
    ...conversation,
    lastMessage: message,
    lastMessageAt: message.timestamp,
    unreadCount: conversation.unreadCount + (isUnread ? 1 : 0),
  };
}
