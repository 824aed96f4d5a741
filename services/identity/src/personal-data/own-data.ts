import { erasePersonalData, type PersonalSection } from '@messaging-gateway/service';
import { ApiKeyRow } from '../api-key/api-keys-view.ts';
import { OrganizationRow } from '../organization/organizations-view.ts';
import { SessionRow } from '../session/sessions-view.ts';
import { TwoFactorRow } from '../two-factor/two-factor-view.ts';
import { UserRow } from '../user/users-view.ts';
import type { IdentityTools } from '../tools.ts';
import type { ErasureOf } from '../erasure/erasure.ts';

/** Erases what identity itself holds. The user's row and the address went when the user left. */
export async function eraseOwn(tools: IdentityTools, of: ErasureOf): Promise<void> {
  const { userId, organizationId, wholeOrganization } = of;
  const em = tools.em(organizationId);
  await em.nativeDelete(SessionRow, { userId });
  await em.nativeDelete(TwoFactorRow, { userId });
  await em.nativeDelete(UserRow, { id: userId });
  await em.nativeDelete(ApiKeyRow, { makerId: userId });
  await erasePersonalData(tools, of, ['workspaces', 'roles', 'api_keys', 'organization_timezones']);
  if (wholeOrganization) await em.nativeDelete(OrganizationRow, { id: organizationId });
}

/** Sections of identity's data of a user, without anything secret. */
export const ownSections: readonly PersonalSection[] = [
  {
    name: 'user',
    ofOrganization: false,
    sql: `
      SELECT u.id::text AS key, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name,
             'createdAt', u.created_at, 'organizationId', m.organization_id, 'roleId', m.role_id, 'joinedAt', m.joined_at,
             'twoFactorEnabled', coalesce(t.enabled, false)) AS item
        FROM users u
        LEFT JOIN members m ON m.user_id = u.id
        LEFT JOIN two_factors t ON t.user_id = u.id
       WHERE u.id = $2 AND u.organization_id = $1 AND u.id::text > $3 LIMIT $4`,
  },
  {
    name: 'sessions',
    ofOrganization: false,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'createdAt', created_at, 'expiresAt', expires_at,
             'endedAt', ended_at, 'client', client) AS item
        FROM user_sessions
       WHERE user_id = $2 AND organization_id = $1 AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'apiKeys',
    ofOrganization: false,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'prefix', prefix, 'permissions', permissions,
             'profileIds', profile_ids, 'allowedCidrs', allowed_cidrs, 'createdAt', created_at, 'expiresAt', expires_at,
             'revokedAt', revoked_at) AS item
        FROM api_keys
       WHERE maker_id = $2 AND organization_id = $1 AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'organization',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'createdAt', created_at, 'timezone', (
               SELECT z.timezone FROM organization_timezones z WHERE z.organization_id = organizations.id)) AS item
        FROM organizations WHERE id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 LIMIT $4`,
  },
  {
    name: 'workspaces',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'description', description,
             'createdAt', created_at) AS item
        FROM workspaces
       WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'roles',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'description', description,
             'permissions', permissions, 'createdAt', created_at) AS item
        FROM roles
       WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
];
