import { erasePersonalData, type PersonalSection } from '@messaging-gateway/service';
import type { IdentityTools } from '../tools.ts';
import type { ErasureOf } from './erasure.ts';

/** Erases what identity itself holds. The user's row and the address went when the user left. */
export async function eraseOwn(tools: IdentityTools, of: ErasureOf): Promise<void> {
  const { sql } = tools;
  for (const table of ['user_sessions', 'two_factors', 'users'])
    await sql.query(`DELETE FROM identity.${table} WHERE ${table === 'users' ? 'id' : 'user_id'} = $1`, [of.userId]);
  await sql.query('DELETE FROM identity.api_keys WHERE maker_id = $1', [of.userId]);
  await erasePersonalData(tools, of, ['workspaces', 'roles', 'api_keys']);
  if (of.wholeOrganization) await sql.query('DELETE FROM identity.organizations WHERE id = $1', [of.organizationId]);
}

/** What identity holds of a user, without anything secret. */
export const ownSections: readonly PersonalSection[] = [
  {
    name: 'user',
    ofOrganization: false,
    sql: `
      SELECT u.id::text AS key, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name,
             'createdAt', u.created_at, 'organizationId', m.organization_id, 'roleId', m.role_id, 'joinedAt', m.joined_at,
             'twoFactorEnabled', coalesce(t.enabled, false)) AS item
        FROM identity.users u
        LEFT JOIN identity.members m ON m.user_id = u.id
        LEFT JOIN identity.two_factors t ON t.user_id = u.id
       WHERE u.id = $2 AND u.organization_id = $1 AND u.id::text > $3 LIMIT $4`,
  },
  {
    name: 'sessions',
    ofOrganization: false,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'createdAt', created_at, 'expiresAt', expires_at,
             'endedAt', ended_at, 'client', client) AS item
        FROM identity.user_sessions
       WHERE user_id = $2 AND organization_id = $1 AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'apiKeys',
    ofOrganization: false,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'prefix', prefix, 'permissions', permissions,
             'profileIds', profile_ids, 'allowedCidrs', allowed_cidrs, 'createdAt', created_at, 'expiresAt', expires_at,
             'revokedAt', revoked_at) AS item
        FROM identity.api_keys
       WHERE maker_id = $2 AND organization_id = $1 AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'organization',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'createdAt', created_at) AS item
        FROM identity.organizations WHERE id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 LIMIT $4`,
  },
  {
    name: 'workspaces',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'description', description,
             'createdAt', created_at) AS item
        FROM identity.workspaces
       WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
  {
    name: 'roles',
    ofOrganization: true,
    sql: `
      SELECT id::text AS key, jsonb_build_object('id', id, 'name', name, 'description', description,
             'permissions', permissions, 'createdAt', created_at) AS item
        FROM identity.roles
       WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`,
  },
];
