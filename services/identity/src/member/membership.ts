import { permissions as everyPermission, type Permission } from '@messaging-gateway/contracts';
import { systemRole } from '../role/system-roles.ts';
import type { IdentityTools } from '../tools.ts';

/** A person's place in an organization. */
export interface Membership {
  readonly roleId: string;
  /** Name of the role. */
  readonly role: string;
  readonly permissions: readonly Permission[];
}

/** Of a row of `members` and, for a role that the organization has made, its row of `roles`. */
export interface HeldRole {
  readonly role_id: string;
  readonly role_name: string | null;
  readonly role_permissions: readonly Permission[] | null;
}

/** Columns of `HeldRole`, with `joinRoles` behind `identity.members`. */
export const heldRoleColumns = 'members.role_id, roles.name AS role_name, roles.permissions AS role_permissions';
export const joinRoles = 'LEFT JOIN identity.roles ON roles.id = members.role_id';

/** What a role allows at this moment; a role that is not there allows nothing. */
export function membershipOf({ role_id: roleId, role_name, role_permissions }: HeldRole): Membership {
  const system = systemRole(roleId);
  if (system !== undefined) return { roleId, role: system.name, permissions: system.permissions };
  return {
    roleId,
    role: role_name ?? '',
    permissions: everyPermission.filter((permission) => role_permissions?.includes(permission)),
  };
}

/** Undefined when the user is no member. */
export async function findMembership(
  tools: Pick<IdentityTools, 'sql'>,
  userId: string,
  organizationId: string,
): Promise<Membership | undefined> {
  const [row] = await tools.sql.query<HeldRole>(
    `SELECT ${heldRoleColumns} FROM identity.members ${joinRoles} WHERE members.user_id = $1 AND members.organization_id = $2`,
    [userId, organizationId],
  );
  return row && membershipOf(row);
}
