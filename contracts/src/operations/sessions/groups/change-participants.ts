import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { GroupPeople, ParticipantResult, groupErrors, groupExamples, groupParams } from './shapes.ts';

const changing = {
  owner: 'sessions',
  method: 'POST',
  access: 'group:manage',
  tag: 'Groups',
  params: groupParams,
  body: closed({ profileId: Id, participants: GroupPeople }),
  errors: groupErrors,
  timeoutMs: 60_000,
  example: { profileId: groupExamples.profileId, participants: ['4915112345679', '4915112345670'] },
} as const;

const answers = {
  200: {
    body: closed({ results: Type.Array(ParticipantResult) }),
    means: 'What became of each, in the order given; repeats are left out.',
    example: { results: groupExamples.results },
  },
};

export const AddGroupParticipants = operation({
  ...changing,
  name: 'AddGroupParticipants',
  audit: { action: 'group.add_participants', resourceParameter: 'groupId', carriedOut: true },
  path: '/groups/:groupId/participants/add',
  summary: 'Add participants to a group',
  means: 'Only admins may. The network lets each person in or refuses it by itself.',
  answers,
});

export const RemoveGroupParticipants = operation({
  ...changing,
  name: 'RemoveGroupParticipants',
  audit: { action: 'group.remove_participants', resourceParameter: 'groupId', carriedOut: true },
  path: '/groups/:groupId/participants/remove',
  summary: 'Remove participants from a group',
  means: 'Only admins may. Nobody can remove whoever made the group.',
  answers,
});

export const PromoteGroupParticipants = operation({
  ...changing,
  name: 'PromoteGroupParticipants',
  audit: { action: 'group.promote_participants', resourceParameter: 'groupId', carriedOut: true },
  path: '/groups/:groupId/participants/promote',
  summary: 'Make participants admins of a group',
  means: 'Only admins may.',
  answers,
});

export const DemoteGroupParticipants = operation({
  ...changing,
  name: 'DemoteGroupParticipants',
  audit: { action: 'group.demote_participants', resourceParameter: 'groupId', carriedOut: true },
  path: '/groups/:groupId/participants/demote',
  summary: 'Demote admins of a group',
  means: 'Only admins may. Nobody can demote whoever made the group.',
  answers,
});
