import { describe, it } from '@jest/globals';
import { systemRoles } from '@messaging-gateway/contracts';
import { specification } from '@messaging-gateway/testing';
import { organization, type OrganizationEvent } from './organization.ts';
import { ownerRoleId, systemRoleEntries } from './system-roles.ts';

const given = specification(organization);
const roleId = (name: string): string => systemRoleEntries.find((role) => role.name === name)?.roleId ?? '';
const [viewer, admin] = [roleId('Viewer'), roleId('Admin')];
const founded: OrganizationEvent = {
  type: 'OrganizationFounded',
  data: { organizationId: 'organization', ownerId: 'ada', name: 'Engines' },
};
const joined = (userId: string, role: string): OrganizationEvent => ({
  type: 'MemberJoined',
  data: { userId, roleId: role },
});
const granting = systemRoles.Owner;

describe('a member', () => {
  it('joins once, with the role of the invitation', () => {
    const add = { type: 'AddMember', userId: 'grace', roleId: viewer, by: 'ada', granting } as const;
    given(founded).when(add).then(joined('grace', viewer));
    given(founded, joined('grace', viewer)).when(add).thenNothing();
    given(founded, joined('grace', viewer))
      .when({ ...add, granting: [] })
      .thenNothing();
    given(founded)
      .when({ ...add, roleId: 'unknown' })
      .thenRefused('NOT_FOUND');
    given().when(add).thenRefused('NOT_FOUND');
  });

  it('is given no more than the giver has', () => {
    const change = {
      type: 'ChangeMemberRole',
      userId: 'grace',
      roleId: admin,
      by: 'ada',
      granting: systemRoles.Manager,
    } as const;
    given(founded, joined('grace', viewer)).when(change).thenRefused('FORBIDDEN');
    given(founded)
      .when({ ...change, type: 'AddMember' })
      .thenRefused('FORBIDDEN');
    given(founded, joined('grace', viewer))
      .when({ ...change, by: 'ada', granting })
      .then({ type: 'MemberRoleChanged', data: { userId: 'grace', roleId: admin, previousRoleId: viewer } });
    given(founded, joined('grace', admin))
      .when({ ...change, by: 'ada', granting })
      .thenNothing();
  });

  it('is neither changed nor removed by somebody who has less', () => {
    const history = [founded, joined('grace', ownerRoleId)];
    given(...history)
      .when({ type: 'RemoveMember', userId: 'grace', by: 'ada', granting: systemRoles.Admin })
      .thenRefused('FORBIDDEN');
    given(...history)
      .when({ type: 'ChangeMemberRole', userId: 'grace', roleId: viewer, by: 'ada', granting: systemRoles.Admin })
      .thenRefused('FORBIDDEN');
  });

  it('leaves by itself, unless it is the last Owner beside others', () => {
    const leave = (userId: string) => ({ type: 'Leave', userId }) as const;
    const left = (userId: string, wholeOrganization: boolean): OrganizationEvent => ({
      type: 'MemberLeft',
      data: { userId, wholeOrganization },
    });
    const both = [founded, joined('grace', viewer)];
    given(...both)
      .when(leave('grace'))
      .then(left('grace', false));
    given(...both)
      .when(leave('ada'))
      .thenRefused('CONFLICT');
    given(...both, left('grace', false))
      .when(leave('ada'))
      .then(left('ada', true));
    given(...both, left('grace', false))
      .when(leave('grace'))
      .thenNothing();
  });

  it('leaves again what a restored backup brought back, whoever else is there', () => {
    const again = { type: 'LeaveAgain', userId: 'ada', wholeOrganization: false } as const;
    const left: OrganizationEvent = { type: 'MemberLeft', data: { userId: 'ada', wholeOrganization: false } };
    given(founded, joined('grace', viewer)).when(again).then(left);
    given(founded, joined('grace', viewer), left).when(again).thenNothing();
    given().when(again).thenNothing();
  });

  it('leaves those again as Owners who were so then, when the organization would have none', () => {
    const again = { type: 'LeaveAgain', userId: 'ada', wholeOrganization: false, owners: ['grace', 'later'] } as const;
    const left: OrganizationEvent = { type: 'MemberLeft', data: { userId: 'ada', wholeOrganization: false } };
    const owns = (userId: string): OrganizationEvent => ({
      type: 'MemberRoleChanged',
      data: { userId, roleId: ownerRoleId, previousRoleId: viewer },
    });
    const both = [founded, joined('grace', viewer), joined('bob', viewer)];
    given(...both)
      .when(again)
      .then(left, owns('grace'));
    given(...both, owns('bob'))
      .when(again)
      .then(left);
    given(...both, left)
      .when(again)
      .thenNothing();
  });

  it('becomes Owner by an operator where there is none', () => {
    const make = { type: 'MakeOwner', userId: 'grace' } as const;
    const left: OrganizationEvent = { type: 'MemberLeft', data: { userId: 'ada', wholeOrganization: false } };
    given(founded, joined('grace', viewer), left)
      .when(make)
      .then({ type: 'MemberRoleChanged', data: { userId: 'grace', roleId: ownerRoleId, previousRoleId: viewer } });
    given(founded, joined('grace', viewer)).when(make).thenRefused('CONFLICT');
    given(founded, left).when(make).thenRefused('NOT_FOUND');
  });

  it('is removed, and then unknown', () => {
    const remove = { type: 'RemoveMember', userId: 'grace', by: 'ada', granting } as const;
    const removed: OrganizationEvent = { type: 'MemberRemoved', data: { userId: 'grace', roleId: viewer } };
    given(founded, joined('grace', viewer)).when(remove).then(removed);
    given(founded, joined('grace', viewer), removed).when(remove).thenRefused('NOT_FOUND');
  });
});

describe('the last Owner', () => {
  it('can be neither removed nor made something else, by anybody', () => {
    const history = [founded, joined('grace', admin)];
    for (const some of [granting, systemRoles.Admin]) {
      given(...history)
        .when({ type: 'RemoveMember', userId: 'ada', by: 'ada', granting: some })
        .thenRefused('CONFLICT');
    }
    given(...history)
      .when({ type: 'ChangeMemberRole', userId: 'ada', roleId: admin, by: 'ada', granting })
      .thenRefused('CONFLICT');
    given(...history)
      .when({ type: 'ChangeMemberRole', userId: 'ada', roleId: ownerRoleId, by: 'ada', granting })
      .thenNothing();
  });

  it('is the last only while there is no other', () => {
    const history = [founded, joined('grace', ownerRoleId)];
    const removed: OrganizationEvent = { type: 'MemberRemoved', data: { userId: 'ada', roleId: ownerRoleId } };
    given(...history)
      .when({ type: 'RemoveMember', userId: 'ada', by: 'ada', granting })
      .then(removed);
    given(...history, removed)
      .when({ type: 'RemoveMember', userId: 'grace', by: 'grace', granting })
      .thenRefused('CONFLICT');
  });
});

describe('a request on its way while its sender is removed or given less', () => {
  it('removes nobody, and gives nothing', () => {
    const gone: OrganizationEvent = { type: 'MemberRemoved', data: { userId: 'grace', roleId: ownerRoleId } };
    const history = [founded, joined('grace', ownerRoleId), joined('mary', ownerRoleId)];
    const remove = { type: 'RemoveMember', userId: 'mary', by: 'grace', granting } as const;
    given(...history, gone)
      .when(remove)
      .thenRefused('FORBIDDEN');
    const less: OrganizationEvent = {
      type: 'MemberRoleChanged',
      data: { userId: 'grace', roleId: viewer, previousRoleId: ownerRoleId },
    };
    given(...history, less)
      .when(remove)
      .thenRefused('FORBIDDEN');
    given(...history, less)
      .when({ type: 'AddMember', userId: 'new', roleId: admin, by: 'grace', granting })
      .thenRefused('FORBIDDEN');
  });
});
