import { systemRoles, type Permission, type SystemRole } from '@messaging-gateway/contracts';

/** What a role allows; nothing when there is no such role. */
export function permissionsOfRole(role: string): readonly Permission[] {
  return Object.hasOwn(systemRoles, role) ? systemRoles[role as SystemRole] : [];
}
