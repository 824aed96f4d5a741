import { Type } from 'typebox';
import { keyLimits, operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { Description, Role, RoleName } from './organization-shapes.ts';
import { PermissionWord } from './shapes.ts';

const params = closed({ id: Id });
const Permissions = Type.Array(PermissionWord, { uniqueItems: true });

export const ListPermissions = operation({
  name: 'ListPermissions',
  compressed: true,
  owner: 'identity',
  method: 'GET',
  path: '/rbac/permissions',
  access: 'user:read',
  tag: 'Roles',
  summary: 'List permissions',
  means: 'Everything that a role or an API key can allow.',
  answers: {
    200: {
      body: page(closed({ key: PermissionWord, resource: Type.String(), action: Type.String() })),
      means: 'All permissions, on one page.',
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const ListRoles = operation({
  name: 'ListRoles',
  compressed: true,
  owner: 'identity',
  method: 'GET',
  path: '/rbac/roles',
  access: 'user:read',
  tag: 'Roles',
  summary: 'List roles',
  means: 'The system roles, then those of the organization, oldest first.',
  query: closed(pageQuery),
  answers: { 200: { body: page(Role), means: 'A page of roles.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const CreateRole = operation({
  name: 'CreateRole',
  owner: 'identity',
  method: 'POST',
  path: '/rbac/roles',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  audit: { action: 'role.create', namedByRequest: true },
  summary: 'Create a role',
  means:
    'Makes a role of the organization, 200 at most. Its name is used once, without regard to case. It holds nothing beyond the own permissions.',
  body: closed({ name: RoleName, description: Type.Optional(Description), permissions: Permissions }),
  answers: { 201: { body: Role, means: 'The role exists.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: { name: 'Support', permissions: ['message:send', 'message:read'] },
});

export const GetRole = operation({
  name: 'GetRole',
  owner: 'identity',
  method: 'GET',
  path: '/rbac/roles/:id',
  access: 'user:read',
  tag: 'Roles',
  summary: 'Get a role',
  means: 'One role.',
  params,
  answers: { 200: { body: Role, means: 'The role.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const UpdateRole = operation({
  name: 'UpdateRole',
  owner: 'identity',
  method: 'PUT',
  path: '/rbac/roles/:id',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  summary: 'Update a role',
  means:
    'Changes the fields given, at once for everybody who has the role and for their API keys. Nothing is added beyond the own ' +
    'permissions. A system role answers 403.',
  params,
  body: closed({
    name: Type.Optional(RoleName),
    description: Type.Optional(Description),
    permissions: Type.Optional(Permissions),
  }),
  answers: { 200: { body: Role, means: 'The role as it is now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  example: { permissions: ['message:read'] },
});

export const DeleteRole = operation({
  name: 'DeleteRole',
  owner: 'identity',
  method: 'DELETE',
  path: '/rbac/roles/:id',
  access: 'role:manage',
  refusesKeysLimitedIn: keyLimits,
  tag: 'Roles',
  summary: 'Delete a role',
  means: 'Deletes a role that nobody has; one in use answers 409, a system role 403.',
  params,
  answers: { 204: { means: 'The role is deleted.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
