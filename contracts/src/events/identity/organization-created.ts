import { event } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';

export const OrganizationCreated = event({
  type: 'organization.created',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means: 'Somebody registered: an organization with its first workspace exists.',
  data: closed({ organizationId: Id, workspaceId: Id, ownerId: Id }),
  example: {
    organizationId: '0198c0de-0000-7000-8000-000000000001',
    workspaceId: '0198c0de-0000-7000-8000-000000000002',
    ownerId: '0198c0de-0000-7000-8000-000000000003',
  },
});
