import type { AuditEntry, ListAuditLogs, Page } from '@messaging-gateway/contracts';
import { allOf, readPage, whereGiven, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';
import { namedActors, type ActorRow } from './actors.ts';
import { seenBy } from './conditions.ts';

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
  const { items, nextCursor } = await readPage<Row>(tools.sql, {
    select: `SELECT id, at, action, actor_type, actor_id, resource_type, resource_id, more, ip, user_agent, request_id
       FROM audit_entries`,
    where: allOf([
      ...seenBy(caller, query),
      whereGiven('actor_id = $1', query.actor),
      whereGiven('action = $1', query.action),
      whereGiven('resource_type = $1', query.resourceType),
      whereGiven('resource_id = $1', query.resourceId),
    ]),
    order: [{ column: 'id', kind: 'id', of: ({ id }) => id }],
    descending: true,
    query,
  });
  const actorOf = await namedActors(tools, caller.organizationId, items, context);
  return {
    items: items.map((row) => ({
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
    })),
    nextCursor,
  };
}
