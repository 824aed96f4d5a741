import { permissions as everyPermission, type Permission } from '@messaging-gateway/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { RoleRow } from './roles-view.ts';
import { systemRole } from './system-roles.ts';
import { MemberRow } from './members-view.ts';

/** A person's place in an organization. */
export interface Membership {
  readonly roleId: string;
  /** Name of the role. */
  readonly role: string;
  readonly permissions: readonly Permission[];
}

/** A role that an organization has made. */
interface MadeRole {
  readonly name: string | null;
  readonly permissions: readonly Permission[] | null;
}

/** Role and permissions at this moment; a role that is not there allows nothing. @param made unless it is a system role */
export function membershipOf(roleId: string, made: MadeRole | undefined): Membership {
  const system = systemRole(roleId);
  if (system !== undefined) return { roleId, role: system.name, permissions: system.permissions };
  return {
    roleId,
    role: made?.name ?? '',
    permissions: everyPermission.filter((permission) => made?.permissions?.includes(permission)),
  };
}

/** The roles of members that the organization has made, by their ids. */
export async function madeRoles(
  em: EntityManager,
  members: readonly { roleId: string }[],
): Promise<Map<string, MadeRole>> {
  const ids = new Set(members.map(({ roleId }) => roleId).filter((id) => systemRole(id) === undefined));
  const rows = ids.size === 0 ? [] : await em.find(RoleRow, { id: { $in: [...ids] } });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Undefined when the user is no member of the organization. */
export async function findMembership(em: EntityManager, userId: string): Promise<Membership | undefined> {
  const member = await em.findOne(MemberRow, { user: userId });
  return member === null ? undefined : membershipOf(member.roleId, (await madeRoles(em, [member])).get(member.roleId));
}
