import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Count, Id, Jid, Timestamp, closed, oneOf } from '../../shapes.ts';
import { NetworkAddress } from './session-message.ts';

const which = {
  id: { ...Jid, description: 'JID of the group' },
  author: Type.Optional(NetworkAddress),
  at: Timestamp,
  replayed: Type.Optional(Type.Boolean({ description: 'It happened while the profile was not connected' })),
};
const example = {
  id: '120363012345678901@g.us',
  author: { jid: '4915112345678@c.us', phone: '4915112345678', lid: '100000000000001@lid' },
  at: '2026-01-01T00:00:00.000Z',
};

export const GroupUpdated = event({
  type: 'group.updated',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means:
    'A group of the profile was changed by `author`, by the profile itself too. `joined`: the profile is in it now, because it was ' +
    'made or somebody let the profile in; then `name`, `description` and `participantsCount` tell what it is.',
  data: closed({
    ...which,
    change: oneOf(['joined', 'name', 'description', 'invite-link', 'settings'], {
      description: 'invite-link: the old link leads nowhere any more',
    }),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String({ description: 'Empty: it was taken away' })),
    participantsCount: Type.Optional(Count),
    settings: Type.Optional(
      closed({
        onlyAdminsWrite: Type.Optional(Type.Boolean()),
        onlyAdminsEdit: Type.Optional(Type.Boolean({ description: 'Name and description' })),
        disappearAfterSeconds: Type.Optional({ ...Count, description: '0: messages stay' }),
      }),
    ),
  }),
  example: { ...example, change: 'name', name: 'Chamber choir' },
});

export const GroupParticipants = event({
  type: 'group.participants',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means:
    'Who is in a group of the profile, or who is an admin of it, has changed. `leave`: they went by themselves; `remove`: `author` ' +
    'took them out. The profile itself may be among them.',
  data: closed({
    ...which,
    action: oneOf(['add', 'remove', 'promote', 'demote', 'leave']),
    participants: Type.Array(NetworkAddress),
    byInvite: Type.Optional(Type.Boolean({ description: 'With `add`: they came by an invite link' })),
  }),
  example: {
    ...example,
    action: 'add',
    participants: [{ jid: '4915112345679@c.us', phone: '4915112345679', lid: '100000000000002@lid' }],
  },
});

export const SessionGroupNamed = event({
  type: 'session.group-named',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means: 'What a group of the profile is called since `since`. Of several names the newest one holds.',
  data: closed({ profileId: Id, group: Jid, name: Type.String(), since: Timestamp }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    group: '120363012345678901@g.us',
    name: 'Choir',
    since: '2026-01-01T00:00:00.000Z',
  },
});
