import { describe, it } from '@jest/globals';
import { systemRoles } from '@messaging-gateway/contracts';
import { specification } from '@messaging-gateway/testing';
import { organization, type OrganizationEvent } from './organization.ts';
import { ownerRoleId } from './system-roles.ts';

const given = specification(organization);
const granting = systemRoles.Owner;
const founded: OrganizationEvent = {
  type: 'OrganizationFounded',
  data: { organizationId: 'organization', ownerId: 'ada', name: 'Engines' },
};
const support = { roleId: 'support', name: 'Support', permissions: ['message:read', 'message:send'] as const };
const created: OrganizationEvent = { type: 'RoleCreated', data: support };
const create = { type: 'CreateRole', ...support, by: 'ada', granting } as const;

describe('a role of an organization', () => {
  it('is created once, and holds no more than its maker may', () => {
    given(founded).when(create).then(created);
    given(founded, created).when(create).thenNothing();
    given(founded)
      .when({ ...create, granting: ['message:read'] })
      .thenRefused('FORBIDDEN');
  });

  it('has a name of its own, however it is spelt', () => {
    for (const name of ['support', ' SUPPORT ', 'ｓupport']) {
      given(founded, created)
        .when({ ...create, roleId: 'other', name })
        .thenRefused('CONFLICT');
    }
    given(founded)
      .when({ ...create, name: 'owner' })
      .thenRefused('CONFLICT');
    given(founded, created)
      .when({ type: 'ChangeRole', roleId: 'support', name: 'SUPPORT', by: 'ada', granting })
      .then({ type: 'RoleChanged', data: { ...support, name: 'SUPPORT' } });
  });

  it('changes where something is given, and gains nothing that the one who changes it has not', () => {
    const own = ['role:manage', ...support.permissions] as const;
    const change = { type: 'ChangeRole', roleId: 'support', by: 'ada', granting: own } as const;
    given(founded, created)
      .when({ ...change, permissions: ['message:read'] })
      .then({ type: 'RoleChanged', data: { ...support, permissions: ['message:read'] } });
    given(founded, created)
      .when({ ...change, permissions: ['message:read', 'org:delete'] })
      .thenRefused('FORBIDDEN');
    given(founded, created)
      .when({ ...change, description: 'Answers' })
      .then({ type: 'RoleChanged', data: { ...support, description: 'Answers' } });
    given(founded, created)
      .when({ ...change, description: null, permissions: ['message:send', 'message:read'] })
      .thenNothing();
    given(founded).when(change).thenRefused('NOT_FOUND');
  });

  it('is not cut down by somebody who has less than those who have it', () => {
    for (const changed of [{ permissions: [] }, { permissions: ['role:manage'] as const }, { name: 'Nobodies' }])
      given(founded, created)
        .when({ type: 'ChangeRole', roleId: 'support', ...changed, by: 'ada', granting: ['role:manage'] })
        .thenRefused('FORBIDDEN');
  });

  it('is not changed by a request whose sender has lost the right on the way', () => {
    const change = { type: 'ChangeRole', roleId: 'support', permissions: [], by: 'grace', granting } as const;
    const joined: OrganizationEvent = { type: 'MemberJoined', data: { userId: 'grace', roleId: 'support' } };
    given(founded, created).when(change).thenRefused('FORBIDDEN');
    given(founded, created, joined)
      .when({ ...change, permissions: ['org:delete'] })
      .thenRefused('FORBIDDEN');
  });

  it('is not deleted by somebody who may less than it allows', () => {
    given(founded, created)
      .when({ type: 'DeleteRole', roleId: 'support', by: 'ada', granting: ['role:manage'] })
      .thenRefused('FORBIDDEN');
  });

  it('is deleted when nobody has it', () => {
    const remove = { type: 'DeleteRole', roleId: 'support', by: 'ada', granting } as const;
    const deleted: OrganizationEvent = { type: 'RoleDeleted', data: { roleId: 'support' } };
    given(founded, created).when(remove).then(deleted);
    given(founded, created, deleted).when(remove).thenRefused('NOT_FOUND');
    given(founded, created, { type: 'MemberJoined', data: { userId: 'grace', roleId: 'support' } })
      .when(remove)
      .thenRefused('CONFLICT');
  });
});

describe('a system role', () => {
  it('is not edited', () => {
    given(founded)
      .when({ type: 'ChangeRole', roleId: ownerRoleId, name: 'Boss', by: 'ada', granting })
      .thenRefused('FORBIDDEN');
    given(founded).when({ type: 'DeleteRole', roleId: ownerRoleId, by: 'ada', granting }).thenRefused('FORBIDDEN');
  });
});
