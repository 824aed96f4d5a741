import { Type } from 'typebox';
import { keyLimits, operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { InvitedMember, Member, RoleName } from './organization-shapes.ts';
import { EmailAddress, Name } from './shapes.ts';

const params = closed({ id: Type.String({ format: 'uuid', description: 'Id of the user' }) });

export const ListMembers = operation({
  name: 'ListMembers',
  compressed: true,
  owner: 'identity',
  method: 'GET',
  path: '/organizations/members',
  access: 'user:read',
  tag: 'Organizations',
  summary: 'List members',
  means: 'The people of the organization, those who came first at the top.',
  query: closed(pageQuery),
  answers: { 200: { body: page(Member), means: 'A page of members.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const InviteMember = operation({
  name: 'InviteMember',
  owner: 'identity',
  method: 'POST',
  path: '/organizations/members',
  access: 'user:invite',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Organizations',
  summary: 'Invite a member',
  means:
    'Makes a user of this organization with a temporary password, which is shown in this answer only and lets in for 7 days. Until the user has changed it, ' +
    'every route but `change-password`, `logout` and `me` answers 403. `role` is the name of a role, `Viewer` when absent. ' +
    'Nobody invites into a role that allows more than the own permissions.',
  body: closed({ email: EmailAddress, name: Name, role: Type.Optional(RoleName) }),
  answers: { 201: { body: InvitedMember, means: 'The member, and the temporary password.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { email: 'grace@example.com', name: 'Grace', role: 'Operator' },
});

export const ChangeMemberRole = operation({
  name: 'ChangeMemberRole',
  owner: 'identity',
  method: 'PUT',
  path: '/organizations/members/:id/role',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Organizations',
  audit: 'member.change_role',
  summary: 'Change role',
  means:
    'Gives a member another role, named by its name, at once for all sessions and API keys of the member. Nobody gives more than the ' +
    'own permissions, or takes from somebody who has more. The last Owner stays one.',
  params,
  body: closed({ role: RoleName }),
  answers: { 200: { body: Member, means: 'The member as it is now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  example: { role: 'Manager' },
});

export const RemoveMember = operation({
  name: 'RemoveMember',
  owner: 'identity',
  method: 'DELETE',
  path: '/organizations/members/:id',
  access: 'user:remove',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Organizations',
  summary: 'Remove member',
  means:
    'The member can no longer log in; sessions and API keys of the member end at once, and the address can register or be invited again. ' +
    'Nobody removes somebody who has more than the own permissions. The last Owner stays.',
  params,
  answers: { 204: { means: 'The member is gone.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});

export const UnassignUser = operation({
  name: 'UnassignUser',
  owner: 'identity',
  method: 'DELETE',
  path: '/rbac/users/:userId/organizations/:orgId',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  audit: { action: 'user.unassign', resourceParameter: 'userId' },
  summary: 'Unassign a user from an organization',
  means: 'Removes a member, as `DELETE /organizations/members/:id` does: a member belongs to one organization.',
  params: closed({ userId: Id, orgId: Id }),
  answers: { 204: { means: 'The member is gone.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
