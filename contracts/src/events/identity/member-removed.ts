import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const MemberRemoved = event({
  type: 'member.removed',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means: 'A member was removed from an organization: what belongs to the user alone ends.',
  data: closed({ userId: Id }),
  example: { userId: '0198c0de-0000-7000-8000-000000000001' },
});
