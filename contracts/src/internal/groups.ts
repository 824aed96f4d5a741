import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { GroupDetail, GroupId, ParticipantResult } from '../operations/sessions/groups/shapes.ts';
import { Id, closed, oneOf } from '../shapes.ts';

const profile = { organizationId: Id, profileId: Id };
const People = Type.Array(Type.String(), { description: '`<digits>@c.us` or `<id>@lid`' });
const Results = Type.Array(ParticipantResult);
/** Three questions to the network at most, one after the other. */
const timeoutMs = 50_000;

export const ReadGroups = internal({
  name: 'ReadGroups',
  owner: 'sessions',
  means:
    'The groups of a profile without their participants, or one of them with its participants, as the network tells them now.',
  body: closed({ ...profile, groupId: Type.Optional(GroupId) }),
  answer: closed({ groups: Type.Array(GroupDetail) }),
  timeoutMs,
});

export const MakeGroup = internal({
  name: 'MakeGroup',
  owner: 'sessions',
  means: 'Makes a group on the network, once for each `groupKey`: a repeat goes on with the group that was made.',
  body: closed({
    ...profile,
    groupKey: Id,
    name: Type.String(),
    people: People,
    description: Type.Optional(Type.String()),
  }),
  answer: closed({ group: GroupDetail, results: Results }),
  timeoutMs,
});

export const ChangeGroup = internal({
  name: 'ChangeGroup',
  owner: 'sessions',
  means: 'Changes the name or the description of a group, or leaves it.',
  body: closed({
    ...profile,
    groupId: GroupId,
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    leave: Type.Optional(Type.Boolean()),
  }),
  answer: closed({}),
  timeoutMs,
});

export const participantActions = ['add', 'remove', 'promote', 'demote'] as const;

export const ChangeParticipants = internal({
  name: 'ChangeParticipants',
  owner: 'sessions',
  means: 'Changes who is in a group and as what; tells what became of each.',
  body: closed({ ...profile, groupId: GroupId, action: oneOf(participantActions), people: People }),
  answer: closed({ results: Results }),
  timeoutMs,
});

export const ReadInvitation = internal({
  name: 'ReadInvitation',
  owner: 'sessions',
  means: 'The code that leads into a group; with `renew` a new one, and the old one leads nowhere any more.',
  body: closed({ ...profile, groupId: GroupId, renew: Type.Boolean() }),
  answer: closed({ code: Type.String() }),
  timeoutMs,
});
