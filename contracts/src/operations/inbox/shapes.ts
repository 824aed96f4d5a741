import { Type } from 'typebox';
import { RecordContent } from '../../content/index.ts';
import {
  Count,
  Failure,
  Id,
  Jid,
  MessageStatus,
  Timestamp,
  closed,
  messageTypes,
  nullable,
  oneOf,
} from '../../shapes.ts';

/** Types of stored messages: those that can be sent, and what the engine could not read. */
export const StoredMessageType = oneOf([...messageTypes, 'unsupported']);

/** A stored message (api-decisions §4). */
export const MessageRecord = closed({
  id: Id,
  profileId: Id,
  conversationId: Id,
  networkMessageId: nullable(Type.String({ description: 'Id on the network, once known' })),
  direction: oneOf(['incoming', 'outgoing']),
  from: nullable(Jid),
  to: nullable(Jid),
  author: Type.Optional(Jid),
  type: StoredMessageType,
  content: RecordContent,
  quotedMessageId: nullable(Id),
  status: MessageStatus,
  error: nullable(Failure),
  timestamp: Timestamp,
  createdAt: Timestamp,
});

/** A chat of a profile (api-decisions §6). */
export const Conversation = closed({
  id: Id,
  profileId: Id,
  jid: Jid,
  type: oneOf(['user', 'group']),
  name: nullable(Type.String()),
  contactId: nullable(Id),
  unreadCount: Count,
  archived: Type.Boolean(),
  muted: Type.Boolean(),
  pinned: Type.Boolean(),
  lastMessageAt: nullable(Timestamp),
  lastMessage: nullable(MessageRecord),
});
