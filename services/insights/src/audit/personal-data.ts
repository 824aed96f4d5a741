import type { AnswerOf, EraseInsightsData, ReadInsightsData } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';

/** Items of the export in one answer. */
const pageSize = 500;

/**
 * Erases where the requests of a person came from, or all that is held of an organization. That something was done, and
 * by which id, stays: it says nothing about a person whose name is gone.
 */
export async function eraseAuditData(
  { sql, clock }: AuditTools,
  { organizationId, userId, wholeOrganization }: Static<(typeof EraseInsightsData)['body']>,
): Promise<Record<string, never>> {
  // What is on its way is kept without it, so this comes first.
  await sql.query('INSERT INTO audit_erased (user_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    userId,
    new Date(clock.now()),
  ]);
  if (wholeOrganization) {
    await sql.query('DELETE FROM audit_entries WHERE organization_id = $1', [organizationId]);
    for (const table of ['dead_letters', 'delayed_events'])
      await sql.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
  } else await forgetOrigins(sql);
  return {};
}

/** Of all who were erased: an entry may have been on its way at that moment. */
export async function forgetOrigins(sql: AuditTools['sql']): Promise<void> {
  await sql.query(
    `UPDATE audit_entries a SET ip = NULL, user_agent = NULL FROM audit_erased e
      WHERE a.user_id = e.user_id AND (a.ip IS NOT NULL OR a.user_agent IS NOT NULL)`,
  );
}

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

/** Entries of what a person has done, and where from. */
export async function readAuditData(
  { sql }: AuditTools,
  { organizationId, userId, cursor }: Static<(typeof ReadInsightsData)['body']>,
): Promise<AnswerOf<typeof ReadInsightsData>> {
  const [after] = decodeCursor(cursor, ['id']) ?? ['00000000-0000-0000-0000-000000000000'];
  const rows = await sql.query<Row>(
    `SELECT id, at, action, ip, user_agent FROM audit_entries
      WHERE organization_id = $1 AND user_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
    [organizationId, userId, after, pageSize + 1],
  );
  return pageOf(
    rows,
    pageSize,
    ({ id }) => [id],
    ({ id, at, action, ip, user_agent: userAgent }) => ({
      section: 'audit',
      item: { id, timestamp: at.toISOString(), action, ip, userAgent },
    }),
  );
}
