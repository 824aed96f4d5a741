import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, closed } from '../shapes.ts';

export const DescribeWorkspace = internal({
  name: 'DescribeWorkspace',
  owner: 'identity',
  means: 'Whether there is such a workspace. NOT_FOUND when the organization has none.',
  body: closed({ organizationId: Id, workspaceId: Id }),
  answer: closed({ workspaceId: Id }),
});

export const CloseWorkspace = internal({
  name: 'CloseWorkspace',
  owner: 'sessions',
  means:
    'Closes a workspace that is about to be deleted: from then on no account is made there. `closed` is false when it holds accounts, ' +
    'and nothing has changed. Closing it again changes nothing.',
  body: closed({ organizationId: Id, workspaceId: Id }),
  answer: closed({ closed: Type.Boolean() }),
});
