import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { Group, groupErrors, groupExamples } from './shapes.ts';

export const ListGroups = operation({
  name: 'ListGroups',
  owner: 'sessions',
  method: 'GET',
  path: '/groups/profile/:profileId',
  access: 'group:read',
  tag: 'Groups',
  summary: 'List the groups of a profile',
  means: 'The groups that the profile is in, by name, as the network tells them now. Without their participants.',
  params: closed({ profileId: Id }),
  answers: { 200: { body: Type.Array(Group), means: 'All of them.', example: [groupExamples.group] } },
  errors: groupErrors,
});
