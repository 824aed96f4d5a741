import { event } from '../../contract.ts';
import { Id, closed, oneOf } from '../../shapes.ts';

export const MembersChanged = event({
  type: 'members.changed',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means:
    'Who belongs to an organization has changed, or what they may do: whoever goes by that asks anew. Told after the change.',
  data: closed({ organizationId: Id, change: oneOf(['founded', 'joined', 'role', 'left', 'permissions']) }),
  example: { organizationId: '0198c0de-0000-7000-8000-000000000001', change: 'role' },
});
