import { permissions as everyPermission, type Page, type Permission, type Role } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { findMembership } from '../member/membership.ts';
import type { IdentityTools } from '../tools.ts';
import { systemRole, systemRoleEntries, type SystemRoleEntry } from './system-roles.ts';

type ShownRole = Static<typeof Role>;

interface RoleRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly permissions: Permission[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const showSystem = ({ roleId: id, name, permissions }: SystemRoleEntry): ShownRole => ({
  id,
  name,
  description: null,
  permissions: [...permissions],
  isSystem: true,
  createdAt: null,
  updatedAt: null,
});

const columns = 'id, name, description, permissions, created_at, updated_at';

const show = ({ id, name, description, permissions, created_at, updated_at }: RoleRecord): ShownRole => ({
  id,
  name,
  description,
  permissions: everyPermission.filter((permission) => permissions.includes(permission)),
  isSystem: false,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});

/** What every organization has. */
export const systemRolesPage = (): Page<ShownRole> => whole(systemRoleEntries.map(showSystem));

export const listPermissions = (): Page<{ key: Permission; resource: string; action: string }> =>
  whole(
    everyPermission.map((key) => {
      const [resource = '', action = ''] = key.split(':');
      return { key, resource, action };
    }),
  );

const whole = <T>(items: T[]): Page<T> => ({ items, nextCursor: null, total: items.length });

/** @throws Refused NOT_FOUND, also for a role of another organization */
export async function readRole(tools: IdentityTools, id: string, organizationId: string): Promise<ShownRole> {
  const system = systemRole(id.toLowerCase());
  if (system !== undefined) return showSystem(system);
  const [row] = await tools.sql.query<RoleRecord>(
    `SELECT ${columns} FROM identity.roles WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such role.');
  return show(row);
}

/** The system roles, then those of the organization (200 at most), oldest first. */
export async function listRoles(
  tools: IdentityTools,
  { caller: { organizationId }, query }: OperationInput<unknown>,
): Promise<Page<ShownRole>> {
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['text'])?.[0];
  const rows = await tools.sql.query<RoleRecord>(
    `SELECT ${columns} FROM identity.roles WHERE organization_id = $1 ORDER BY created_at, id`,
    [organizationId],
  );
  const all = [...systemRoleEntries.map(showSystem), ...rows.map(show)];
  const rest = all.filter((role) => place === undefined || placeOf(role) > String(place));
  return {
    ...pageOf(
      rest,
      limit,
      (role) => [placeOf(role)],
      (role) => role,
    ),
    total: all.length,
  };
}

/** Sorts like the list; the ids of the system roles sort like them. */
const placeOf = ({ createdAt, id }: ShownRole): string => `${createdAt ?? ''} ${id}`;

/** The role of a member. @throws Refused NOT_FOUND when the organization has no such member */
export async function listUserRoles(
  tools: IdentityTools,
  { caller: { organizationId }, params }: OperationInput<unknown>,
): Promise<Page<ShownRole>> {
  const { roleId } = await membershipIn(tools, params['userId'], organizationId);
  return whole([await readRole(tools, roleId, organizationId)]);
}

export async function listUserPermissions(
  tools: IdentityTools,
  { caller: { organizationId }, params }: OperationInput<unknown>,
): Promise<{ userId: string; permissions: Permission[] }> {
  const { permissions } = await membershipIn(tools, params['userId'], organizationId);
  return { userId: String(params['userId']).toLowerCase(), permissions: [...permissions] };
}

async function membershipIn(tools: IdentityTools, userId: string | undefined, organizationId: string) {
  const found = await findMembership(tools, userId ?? '', organizationId);
  if (found === undefined) throw new Refused('NOT_FOUND', 'There is no such member.');
  return found;
}
