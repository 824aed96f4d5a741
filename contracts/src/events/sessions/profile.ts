import { event } from '../../contract.ts';
import { Type } from 'typebox';
import { Id, closed } from '../../shapes.ts';

export const ProfileCreated = event({
  type: 'profile.created',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means: 'A profile was made.',
  data: closed({ profileId: Id, accountId: Id, workspaceId: Id, name: Type.String() }),
  example: {
    profileId: '0198c0de-0000-7000-8000-000000000001',
    accountId: '0198c0de-0000-7000-8000-000000000002',
    workspaceId: '0198c0de-0000-7000-8000-000000000003',
    name: 'Sales',
  },
});

export const ProfileDeleted = event({
  type: 'profile.deleted',
  version: 1,
  owner: 'sessions',
  visibility: 'internal',
  means: 'A profile was deleted: what it has queued fails, and nothing of it is delivered any more.',
  data: closed({ profileId: Id }),
  example: { profileId: '0198c0de-0000-7000-8000-000000000001' },
});
