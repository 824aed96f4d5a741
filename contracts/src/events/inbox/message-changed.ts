import { Type } from 'typebox';
import { ShownMedia } from '../../content/index.ts';
import { event } from '../../contract.ts';
import { Id, Jid, Timestamp, closed } from '../../shapes.ts';

const which = {
  messageId: Id,
  networkMessageId: Type.String(),
  conversationId: Id,
  /** The chat; in a group its JID. */
  from: Jid,
  author: Type.Optional(Jid),
  fromMe: Type.Boolean({ description: 'The profile itself did it: through the gateway or on the phone' }),
  timestamp: Timestamp,
  replayed: Type.Optional(Type.Boolean()),
};
const example = {
  messageId: '0198c0de-0000-7000-8000-000000000001',
  networkMessageId: '3EB0C767D82B1F2A',
  conversationId: '0198c0de-0000-7000-8000-000000000002',
  from: '4915112345678@c.us',
  fromMe: false,
  timestamp: '2026-01-01T00:00:00.000Z',
};
const spec = { version: 1, owner: 'inbox', visibility: 'public' } as const;

export const MessageReaction = event({
  ...spec,
  type: 'message.reaction',
  means: 'Somebody reacted to a stored message. An empty `emoji` takes the reaction back.',
  data: closed({ ...which, emoji: Type.String() }),
  example: { ...example, emoji: '👍' },
});

export const MessageEdited = event({
  ...spec,
  type: 'message.edited',
  means: 'The author of a stored message changed its text or caption.',
  data: closed({ ...which, body: Type.Optional(Type.String({ description: 'The new text or caption' })) }),
  example: { ...example, body: 'Hello again' },
});

export const MessageDeleted = event({
  ...spec,
  type: 'message.deleted',
  means: 'A stored message was deleted for everyone. Its content is gone.',
  data: closed(which),
  example,
});

export const MessageVote = event({
  ...spec,
  type: 'message.vote',
  means:
    'Somebody voted in a stored poll. `options` are all that this person has chosen now; none: the vote was taken back.',
  data: closed({ ...which, options: Type.Array(Type.String()) }),
  example: { ...example, options: ['Tuesday'] },
});

export const MessageMedia = event({
  ...spec,
  type: 'message.media',
  means:
    'The media of a stored message were replaced, for example by the sharper form that phones send after the first. ' +
    'The record has the new media.',
  data: closed({ messageId: Id, conversationId: Id, media: ShownMedia }),
  example: {
    messageId: '0198c0de-0000-7000-8000-000000000001',
    conversationId: '0198c0de-0000-7000-8000-000000000002',
    media: {
      url: '/api/v1/media/0198c0de-0000-7000-8000-000000000003/0198c0de-0000-7000-8000-0000000000cc/0198c0de-0000-7000-8000-000000000004',
      mimetype: 'image/jpeg',
      size: 2_400_000,
    },
  },
});
