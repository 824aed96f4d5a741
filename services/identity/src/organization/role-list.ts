import {
  type ListUserPermissions,
  type ListUserRoles,
  type ListRoles,
  permissions as everyPermission,
  type Page,
  type Permission,
  type Role,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type InputOf } from '@messaging-gateway/service';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { findMembership } from './membership.ts';
import { RoleRow } from './roles-view.ts';
import { systemRole, systemRoleEntries, type SystemRoleEntry } from './system-roles.ts';

type ShownRole = Static<typeof Role>;

type RoleRecord = InferEntity<typeof RoleRow>;

const showSystem = ({ roleId: id, name, permissions }: SystemRoleEntry): ShownRole => ({
  id,
  name,
  description: null,
  permissions: [...permissions],
  isSystem: true,
  createdAt: null,
  updatedAt: null,
});

const show = ({ id, name, description, permissions, createdAt, updatedAt }: RoleRecord): ShownRole => ({
  id,
  name,
  description: description ?? null,
  permissions: everyPermission.filter((permission) => permissions.includes(permission)),
  isSystem: false,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** The roles of every organization. */
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
export async function readRole(em: EntityManager, id: string): Promise<ShownRole> {
  const system = systemRole(id.toLowerCase());
  if (system !== undefined) return showSystem(system);
  const row = await em.findOne(RoleRow, { id });
  if (row === null) throw new Refused('NOT_FOUND', 'There is no such role.');
  return show(row);
}

/** The system roles, then those of the organization (200 at most), oldest first. */
export async function listRoles({ query, context }: InputOf<typeof ListRoles>): Promise<Page<ShownRole>> {
  const { limit = 50, cursor } = query;
  const place = decodeCursor(cursor, ['text'])?.[0];
  const rows = await context.em().find(RoleRow, {}, { orderBy: { createdAt: 'asc', id: 'asc' } });
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
export async function listUserRoles({ params, context }: InputOf<typeof ListUserRoles>): Promise<Page<ShownRole>> {
  const { roleId } = await membershipIn(context.em(), params.userId);
  return whole([await readRole(context.em(), roleId)]);
}

export async function listUserPermissions({
  params,
  context,
}: InputOf<typeof ListUserPermissions>): Promise<{ userId: string; permissions: Permission[] }> {
  const { permissions } = await membershipIn(context.em(), params.userId);
  return { userId: params.userId.toLowerCase(), permissions: [...permissions] };
}

async function membershipIn(em: EntityManager, userId: string) {
  const found = await findMembership(em, userId);
  if (found === undefined) throw new Refused('NOT_FOUND', 'There is no such member.');
  return found;
}
