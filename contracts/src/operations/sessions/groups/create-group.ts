import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import {
  GroupDescription,
  GroupDetail,
  GroupName,
  NewGroupPeople,
  ParticipantResult,
  groupErrors,
  groupExamples,
} from './shapes.ts';

export const CreateGroup = operation({
  name: 'CreateGroup',
  owner: 'sessions',
  method: 'POST',
  path: '/groups',
  access: 'group:manage',
  tag: 'Groups',
  audit: { action: 'group.create', carriedOut: true },
  summary: 'Create a group',
  means:
    'The profile makes a group and is its super-admin. The network lets each participant in or refuses it by itself: `results` ' +
    'says what became of whom. With an Idempotency-Key a repeat makes no second group, also after a crash.',
  body: closed({
    profileId: Id,
    name: GroupName,
    participants: NewGroupPeople,
    description: Type.Optional(GroupDescription),
  }),
  answers: {
    201: {
      body: closed({ ...GroupDetail.properties, results: Type.Array(ParticipantResult) }),
      means: 'The group was made; look at `results` for who is not in it.',
      example: { ...groupExamples.detail, results: groupExamples.results },
    },
  },
  errors: [...groupErrors, 'CONFLICT'],
  timeoutMs: 60_000,
  example: {
    profileId: groupExamples.profileId,
    name: 'Choir',
    participants: ['4915112345679'],
    description: 'Rehearsal on Tuesdays',
  },
});
