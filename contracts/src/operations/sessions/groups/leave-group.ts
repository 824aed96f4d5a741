import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { GroupId, groupErrors, groupExamples, groupParams } from './shapes.ts';

export const LeaveGroup = operation({
  name: 'LeaveGroup',
  owner: 'sessions',
  method: 'POST',
  path: '/groups/:groupId/leave',
  access: 'group:manage',
  tag: 'Groups',
  audit: { action: 'group.leave', resourceParameter: 'groupId', carriedOut: true },
  summary: 'Leave a group',
  means: 'The profile leaves the group. Its messages stay stored.',
  params: groupParams,
  body: closed({ profileId: Id }),
  answers: {
    200: { body: closed({ id: GroupId }), means: 'It has left.', example: { id: groupExamples.group.id } },
  },
  errors: groupErrors,
  example: { profileId: groupExamples.profileId },
});
