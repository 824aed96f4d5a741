import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const MemberLeft = event({
  type: 'member.left',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means: 'Somebody deleted the own account: all that is held about the user is to be erased.',
  data: closed({
    userId: Id,
    wholeOrganization: Type.Boolean({ description: 'There is no other member: the organization goes along' }),
  }),
  example: { userId: '0198c0de-0000-7000-8000-000000000001', wholeOrganization: true },
});
