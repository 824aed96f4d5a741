import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, Jid, Timestamp, closed, oneOf } from '../../shapes.ts';

/** States in which the other side of a chat can be seen. */
const presences = ['available', 'unavailable', 'composing', 'recording', 'paused'] as const;

export const PresenceUpdate = event({
  type: 'presence.update',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means:
    'Somebody in a chat is there (`available`) or not, writes (`composing`), records, or does so no more (`paused`). Told of chats that were ' +
    'subscribed with `POST /conversations/:id/presence/subscribe`, of each person only what has changed, and of each chat one event a second at most: ' +
    'of what a person does within the second, the last. Writing and recording end with `paused`, with a message of that person, or after ' +
    '25 seconds without a sign of it, which is told as `paused`.',
  data: closed({
    conversationId: Id,
    from: { ...Jid, description: 'The chat; in a group its JID' },
    author: Type.Optional({ ...Jid, description: 'In a group: whose presence it is' }),
    presence: oneOf(presences, { title: 'Presence', description: '`paused`: neither writes nor records any more' }),
    lastSeen: Type.Optional({
      ...Timestamp,
      description: 'With `unavailable`: when the person was there last, where they let it be seen',
    }),
  }),
  example: {
    conversationId: '0198c0de-0000-5000-8000-000000000003',
    from: '4915112345678@c.us',
    presence: 'composing',
  },
});
