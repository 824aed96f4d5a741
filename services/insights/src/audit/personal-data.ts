import type { PersonalSection, Whose } from '@messaging-gateway/service';
import type { AuditTools } from './tools.ts';

/**
 * Erases where the requests of a person came from, or all entries of an organization. That something was done, and by which
 * id, stays: it says nothing about a person whose name is gone.
 */
export async function eraseAudit(
  { sql, clock }: AuditTools,
  { organizationId, userId, wholeOrganization }: Whose,
): Promise<void> {
  // What is on its way is kept without it, so this comes first.
  await sql.query('INSERT INTO audit_erased (user_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    userId,
    new Date(clock.now()),
  ]);
  if (wholeOrganization) await sql.query('DELETE FROM audit_entries WHERE organization_id = $1', [organizationId]);
  else await forgetOrigins(sql);
}

/** Of all who were erased: an entry may have been on its way at that moment. */
export async function forgetOrigins(sql: AuditTools['sql']): Promise<void> {
  await sql.query(
    `UPDATE audit_entries a SET ip = NULL, user_agent = NULL FROM audit_erased e
      WHERE a.user_id = e.user_id AND (a.ip IS NOT NULL OR a.user_agent IS NOT NULL)`,
  );
}

/** Actions of a person, and where from. */
export const auditSection: PersonalSection = {
  name: 'audit',
  ofOrganization: false,
  sql: `
    SELECT id::text AS key, jsonb_build_object('id', id, 'timestamp', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'action', action, 'ip', ip, 'userAgent', user_agent) AS item
      FROM audit_entries WHERE organization_id = $1 AND user_id = $2 AND id > coalesce(nullif($3, ''), '00000000-0000-0000-0000-000000000000')::uuid
     ORDER BY id LIMIT $4`,
};
