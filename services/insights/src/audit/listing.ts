import type { AuditEntry, ListAuditLogs, Page } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';
import { namedActors, type ActorRow } from './actors.ts';
import { conditionsOf } from './conditions.ts';

type Shown = Static<typeof AuditEntry>;

interface Row extends ActorRow {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly more: Shown['metadata'];
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
}

/** A page of entries of the caller's organization, the newest first. */
export async function listAuditLogs(
  tools: AuditTools,
  { caller, query, context }: InputOf<typeof ListAuditLogs>,
): Promise<Page<Shown>> {
  const { limit = 50, cursor, actor, action, resourceType, resourceId } = query;
  const [before] = decodeCursor(cursor, ['id']) ?? [];
  const { text, values } = conditionsOf(caller, query, [
    ['actor_id =', actor],
    ['action =', action],
    ['resource_type =', resourceType],
    ['resource_id =', resourceId],
    ['id <', before],
  ]);
  const rows = await tools.sql.query<Row>(
    `SELECT id, at, action, actor_type, actor_id, resource_type, resource_id, more, ip, user_agent, request_id
       FROM audit_entries WHERE ${text} ORDER BY id DESC LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  const actorOf = await namedActors(tools, caller.organizationId, rows.slice(0, limit), context);
  return pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => ({
      id: row.id,
      action: row.action,
      actor: actorOf(row),
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      metadata: row.more,
      ip: row.ip,
      userAgent: row.user_agent,
      requestId: row.request_id,
      timestamp: row.at.toISOString(),
    }),
  );
}
