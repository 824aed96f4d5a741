import { Type } from 'typebox';
import { ShownContent, storedTypes } from '../../content/index.ts';
import { Count, Failure, Id, Jid, MessageStatus, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

/** Types of stored messages: those that can be sent, stickers, and what the engine could not read. */
export const StoredMessageType = oneOf(storedTypes, { title: 'StoredMessageType' });

const responder = {
  from: Type.Optional(Jid),
  fromMe: Type.Boolean({ description: 'The profile itself' }),
  timestamp: Timestamp,
};

const Reaction = closed({ emoji: Type.String(), ...responder }, { title: 'Reaction' });
const Vote = closed({ options: Type.Array(Type.String()), ...responder }, { title: 'Vote' });

/** A stored message, and what has become of it. */
export const MessageRecord = closed(
  {
    id: Id,
    profileId: Id,
    conversationId: Id,
    networkMessageId: nullable(Type.String({ description: 'Id on the network, once known' })),
    direction: oneOf(['incoming', 'outgoing'], { title: 'Direction' }),
    from: nullable(Jid),
    to: nullable(Jid),
    author: Type.Optional(Jid),
    type: StoredMessageType,
    content: ShownContent,
    quotedMessageId: nullable(Id),
    broadcast: Type.Optional(Type.Boolean({ description: 'The author wrote it to a broadcast list' })),
    status: MessageStatus,
    error: nullable(Failure),
    timestamp: Timestamp,
    createdAt: Timestamp,
    editedAt: Type.Optional(Timestamp),
    reactions: Type.Optional(Type.Array(Reaction)),
    votes: Type.Optional(
      Type.Array(Vote, {
        description: 'Of a poll: what each one has chosen',
      }),
    ),
  },
  { title: 'Message' },
);

export const messageExample = {
  id: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  conversationId: '0198c0de-0000-5000-8000-000000000003',
  networkMessageId: '3EB0C767D82B1F2A',
  direction: 'incoming',
  from: '4915112345678@c.us',
  to: '4915187654321@c.us',
  type: 'text',
  content: { type: 'text', text: 'Hello' },
  quotedMessageId: null,
  status: 'received',
  error: null,
  timestamp: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.250Z',
  reactions: [{ emoji: '👍', from: '4915187654321@c.us', fromMe: true, timestamp: '2026-01-01T00:01:00.000Z' }],
};

/** Query field of lists of messages. */
export const MessageSearch = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Words that texts and captions hold, in any order; the last one may be the beginning of a word',
  }),
);

/** A chat of a profile, as the inbox keeps it. */
export const Conversation = closed(
  {
    id: Id,
    profileId: Id,
    jid: Jid,
    type: oneOf(['user', 'group']),
    name: nullable(Type.String()),
    contactId: nullable(Id),
    unreadCount: Count,
    archived: Type.Boolean(),
    muted: Type.Boolean(),
    mutedUntil: Type.Optional(Timestamp),
    pinned: Type.Boolean(),
    handoverUntil: nullable({
      ...Timestamp,
      description: 'Until when nothing automatic answers, as a human has taken over; null: automation answers',
    }),
    disappearAfterSeconds: Type.Optional(
      nullable({
        ...Count,
        description:
          'Timer after which messages disappear on phones; null without one. The gateway keeps the messages: `settings.retention` deletes them',
      }),
    ),
    lastMessageAt: nullable(Timestamp),
    lastMessage: nullable(MessageRecord),
  },
  { title: 'Conversation' },
);

export const conversationExample = {
  id: '0198c0de-0000-5000-8000-000000000003',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  jid: '4915112345678@c.us',
  type: 'user',
  name: 'Ada',
  contactId: null,
  unreadCount: 1,
  archived: false,
  muted: false,
  pinned: false,
  handoverUntil: null,
  disappearAfterSeconds: null,
  lastMessageAt: '2026-01-01T00:00:00.000Z',
  lastMessage: messageExample,
};
