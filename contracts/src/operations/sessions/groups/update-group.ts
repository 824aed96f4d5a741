import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { GroupDescription, GroupDetail, GroupName, groupErrors, groupExamples, groupParams } from './shapes.ts';

export const UpdateGroup = operation({
  name: 'UpdateGroup',
  owner: 'sessions',
  method: 'PATCH',
  path: '/groups/:groupId',
  access: 'group:manage',
  tag: 'Groups',
  audit: { action: 'group.update', resourceParameter: 'groupId', carriedOut: true },
  summary: 'Update the name or the description of a group',
  means:
    'Changes the fields given, first the name. An empty description takes it away. At least one of them is needed.',
  params: groupParams,
  body: closed({
    profileId: Id,
    name: Type.Optional(GroupName),
    description: Type.Optional(GroupDescription),
  }),
  answers: { 200: { body: GroupDetail, means: 'The group as it is now.', example: groupExamples.detail } },
  errors: [...groupErrors, 'CONFLICT'],
  timeoutMs: 60_000,
  example: { profileId: groupExamples.profileId, name: 'Chamber choir' },
});
