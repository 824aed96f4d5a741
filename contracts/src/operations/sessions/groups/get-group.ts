import { operation } from '../../../contract.ts';
import { GroupDetail, groupErrors, groupExamples, groupParams, groupQuery } from './shapes.ts';

export const GetGroup = operation({
  name: 'GetGroup',
  owner: 'sessions',
  method: 'GET',
  path: '/groups/:groupId',
  access: 'group:read',
  tag: 'Groups',
  summary: 'Get a group',
  means: 'One group with its participants, as the network tells it now. FORBIDDEN when the profile is not in it.',
  params: groupParams,
  query: groupQuery,
  answers: { 200: { body: GroupDetail, means: 'The group.', example: groupExamples.detail } },
  errors: groupErrors,
});
