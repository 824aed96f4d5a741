import { invalid } from '@messaging-gateway/messaging';
import type { EntityManager } from '@mikro-orm/postgresql';
import { RoleRow } from './roles-view.ts';
import { comparableName, systemRoleEntries } from './system-roles.ts';

/** Roles that a refusal names, at most. */
const mostNamed = 10;

/** The role of a name. @throws Refused VALIDATION_ERROR when the organization has none */
export async function roleIdOf(em: EntityManager, name: string): Promise<string> {
  const wanted = comparableName(name);
  const system = systemRoleEntries.find((role) => comparableName(role.name) === wanted);
  if (system !== undefined) return system.roleId;
  const rows = await em.find(RoleRow, {});
  const found = rows.find((role) => comparableName(role.name) === wanted);
  if (found === undefined) {
    const names = [...systemRoleEntries.map((role) => role.name), ...rows.map((role) => role.name)];
    const message = `must be the name of a role, such as ${names.slice(0, mostNamed).join(', ')}`;
    throw invalid([{ path: 'body.role', message }]);
  }
  return found.id;
}
