import { systemRoles, type Permission, type SystemRole } from '@messaging-gateway/contracts';

/** Every organization has these roles, under the same ids. */
const ids: Readonly<Record<SystemRole, string>> = {
  Owner: '5f6b1d0a-0000-5000-8000-000000000001',
  Admin: '5f6b1d0a-0000-5000-8000-000000000002',
  Manager: '5f6b1d0a-0000-5000-8000-000000000003',
  Operator: '5f6b1d0a-0000-5000-8000-000000000004',
  Viewer: '5f6b1d0a-0000-5000-8000-000000000005',
};

export interface SystemRoleEntry {
  readonly roleId: string;
  readonly name: SystemRole;
  readonly permissions: readonly Permission[];
}

/** In the order of what they allow. */
export const systemRoleEntries: readonly SystemRoleEntry[] = (Object.keys(ids) as SystemRole[]).map((name) => ({
  roleId: ids[name],
  name,
  permissions: systemRoles[name],
}));

const byId = new Map(systemRoleEntries.map((role) => [role.roleId, role]));

export const ownerRoleId = ids.Owner;

/** Undefined for a role that an organization has made. */
export const systemRole = (roleId: string): SystemRoleEntry | undefined => byId.get(roleId);

/** Two spellings of one role's name look the same after this. */
export const comparableName = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
