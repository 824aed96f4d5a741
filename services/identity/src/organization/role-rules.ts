import type { Permission } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertGrants, assertOver, type Granting } from './member-rules.ts';
import type { CustomRole, Founded } from './founded.ts';
import { comparableName, systemRole, systemRoleEntries } from './system-roles.ts';

type RoleData = { roleId: string } & CustomRole;
export type RoleEvent =
  | { type: 'RoleCreated'; data: RoleData }
  | { type: 'RoleChanged'; data: RoleData }
  | { type: 'RoleDeleted'; data: { roleId: string } };

/** `description` null removes it. */
export type RoleCommand =
  | ({
      type: 'CreateRole';
      roleId: string;
      name: string;
      description?: string;
      permissions: readonly Permission[];
    } & Granting)
  | ({
      type: 'ChangeRole';
      roleId: string;
      name?: string;
      description?: string | null;
      permissions?: readonly Permission[];
    } & Granting)
  | ({ type: 'DeleteRole'; roleId: string } & Granting);

/** An organization's state is read at every change of it, so it stays small. */
const mostRoles = 200;

/** @throws Refused FORBIDDEN, NOT_FOUND, or CONFLICT for a name or a role in use */
export function decideRoles(command: RoleCommand, state: Founded): readonly RoleEvent[] {
  switch (command.type) {
    case 'CreateRole':
      return create(command, state);
    case 'ChangeRole':
      return change(command, state);
    case 'DeleteRole': {
      const { roleId, granting } = command;
      assertOver(granting, ownRole(roleId, state).permissions);
      if (Object.values(state.members).includes(roleId)) throw new Refused('CONFLICT', 'Somebody has this role.');
      return [{ type: 'RoleDeleted', data: { roleId } }];
    }
  }
}

function create(command: Extract<RoleCommand, { type: 'CreateRole' }>, state: Founded): readonly RoleEvent[] {
  const { type: _, by: __, granting, ...role } = command;
  if (state.roles[role.roleId] !== undefined) return []; // the same request again
  assertGrants(granting, role.permissions);
  assertFree(role.name, role.roleId, state);
  if (Object.keys(state.roles).length >= mostRoles)
    throw new Refused('CONFLICT', `An organization has ${mostRoles} roles at most.`);
  return [{ type: 'RoleCreated', data: role }];
}

function change(command: Extract<RoleCommand, { type: 'ChangeRole' }>, state: Founded): readonly RoleEvent[] {
  const { roleId, granting } = command;
  const before = ownRole(roleId, state);
  const name = command.name ?? before.name;
  const permissions = command.permissions ?? before.permissions;
  const description = command.description === undefined ? before.description : (command.description ?? undefined);
  // Those who have it may have more than the one who asks: they are not to be cut down this way either.
  assertOver(granting, before.permissions);
  assertGrants(granting, permissions);
  assertFree(name, roleId, state);
  const after: RoleData = { roleId, name, permissions, ...(description !== undefined && { description }) };
  return isSame(before, after) ? [] : [{ type: 'RoleChanged', data: after }];
}

function ownRole(roleId: string, { roles }: Founded): CustomRole {
  if (systemRole(roleId) !== undefined) throw new Refused('FORBIDDEN', 'A system role cannot be changed.');
  const found = roles[roleId];
  if (found === undefined) throw new Refused('NOT_FOUND', 'There is no such role.');
  return found;
}

function assertFree(name: string, roleId: string, { roles }: Founded): void {
  const isTaken =
    systemRoleEntries.some((role) => comparableName(role.name) === comparableName(name)) ||
    Object.entries(roles).some(([id, role]) => id !== roleId && comparableName(role.name) === comparableName(name));
  if (isTaken) throw new Refused('CONFLICT', 'There is a role of this name.');
}

const isSame = (one: CustomRole, other: CustomRole): boolean =>
  one.name === other.name &&
  one.description === other.description &&
  one.permissions.length === other.permissions.length &&
  one.permissions.every((permission) => other.permissions.includes(permission));
