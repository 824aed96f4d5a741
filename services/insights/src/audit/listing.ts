import type { AuditEntry, Page } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { InsightsTools } from '../tools.ts';
import { namedActors, type ActorRow } from './actors.ts';
import { conditionsOf, type Period } from './conditions.ts';

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

interface Asked extends Period {
  readonly limit?: number;
  readonly cursor?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly resourceType?: string;
  readonly resourceId?: string;
}

/** A page of entries of the caller's organization, the newest first. */
export async function listAuditLogs(
  tools: InsightsTools,
  { caller, query, context }: OperationInput<unknown>,
): Promise<Page<Shown>> {
  const asked = query as Asked;
  const { limit = 50, actor, action, resourceType, resourceId } = asked;
  const [before] = decodeCursor(asked.cursor, ['id']) ?? [];
  const { text, values } = conditionsOf(caller, asked, [
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
