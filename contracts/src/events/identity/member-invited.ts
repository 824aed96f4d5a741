import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const MemberInvited = event({
  type: 'member.invited',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means: 'Somebody was invited: a user exists that is to become a member with this role.',
  data: closed({ userId: Id, roleId: Id, invitedBy: Id }),
  example: {
    userId: '0198c0de-0000-7000-8000-000000000001',
    roleId: '0198c0de-0000-7000-8000-000000000002',
    invitedBy: '0198c0de-0000-7000-8000-000000000003',
  },
});
