import { Type } from 'typebox';
import { keyLimits, operation } from '../../contract.ts';
import { Id, closed, page } from '../../shapes.ts';
import { Member, Role } from './organization-shapes.ts';
import { PermissionWord } from './shapes.ts';

const params = closed({ userId: Id });

export const AssignRole = operation({
  name: 'AssignRole',
  owner: 'identity',
  method: 'POST',
  path: '/rbac/assign',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  audit: { action: 'role.assign', resourceType: 'user' },
  summary: 'Assign a role to a user',
  means: 'Gives a member another role, as `PUT /organizations/members/:id/role` does, named by its id.',
  body: closed({ userId: Id, roleId: Id }),
  answers: { 200: { body: Member, means: 'The member as it is now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  example: { userId: '0198c0de-0000-7000-8000-000000000001', roleId: '0198c0de-0000-7000-8000-000000000002' },
});

export const ListUserRoles = operation({
  name: 'ListUserRoles',
  owner: 'identity',
  method: 'GET',
  path: '/rbac/users/:userId/roles',
  access: 'user:read',
  tag: 'Roles',
  summary: 'User roles',
  means: 'The role of a member: there is one.',
  params,
  answers: { 200: { body: page(Role), means: 'The role.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const ListUserPermissions = operation({
  name: 'ListUserPermissions',
  owner: 'identity',
  method: 'GET',
  path: '/rbac/users/:userId/permissions',
  access: 'user:read',
  tag: 'Roles',
  summary: 'User permissions',
  means: 'What the role of a member allows now.',
  params,
  answers: {
    200: { body: closed({ userId: Id, permissions: Type.Array(PermissionWord) }), means: 'The permissions.' },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const SeedRoles = operation({
  name: 'SeedRoles',
  owner: 'identity',
  method: 'POST',
  path: '/rbac/organizations/:id/seed',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  audit: { action: 'role.seed', resourceParameter: null },
  summary: 'Seed default roles',
  means:
    'Makes sure that the organization has the system roles, and answers them. They come with the organization, so that there is ' +
    'nothing left to make.',
  params: closed({ id: Id }),
  answers: { 200: { body: page(Role), means: 'The system roles.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});
