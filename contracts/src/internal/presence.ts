import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, Timestamp, closed } from '../shapes.ts';

const chat = { organizationId: Id, profileId: Id, conversationId: Id };

export const FollowPresence = internal({
  name: 'FollowPresence',
  owner: 'sessions',
  means:
    'Follows presence and typing in a chat of a profile for so many minutes from now, and tells `presence.update`. NOT_FOUND when the ' +
    'organization has no such profile, ENGINE_UNSUPPORTED when its engine cannot.',
  body: closed({ ...chat, chat: Jid, minutes: Type.Integer({ minimum: 1 }) }),
  answer: closed({ expiresAt: Timestamp }),
});

export const UnfollowPresence = internal({
  name: 'UnfollowPresence',
  owner: 'sessions',
  means: 'Follows presence and typing in a chat no more.',
  body: closed(chat),
  answer: closed({}),
});

export const ReviewPresence = internal({
  name: 'ReviewPresence',
  owner: 'sessions',
  means:
    'Tells the replica that holds a profile that the chats whose presence is followed have changed. Between replicas of sessions only.',
  body: closed({ organizationId: Id, profileId: Id }),
  answer: closed({}),
});
