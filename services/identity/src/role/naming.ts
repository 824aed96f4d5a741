import { invalid } from '@messaging-gateway/messaging';
import type { IdentityTools } from '../tools.ts';
import { comparableName, systemRoleEntries } from './system-roles.ts';

/** The role of a name. @throws Refused VALIDATION_ERROR when the organization has none */
export async function roleIdOf(tools: IdentityTools, name: string, organizationId: string): Promise<string> {
  const wanted = comparableName(name);
  const system = systemRoleEntries.find((role) => comparableName(role.name) === wanted);
  if (system !== undefined) return system.roleId;
  const rows = await tools.sql.query<{ id: string; name: string }>(
    'SELECT id, name FROM identity.roles WHERE organization_id = $1',
    [organizationId],
  );
  const found = rows.find((role) => comparableName(role.name) === wanted);
  if (found === undefined) throw invalid([{ path: 'body.role', message: 'must be the name of a role' }]);
  return found.id;
}
