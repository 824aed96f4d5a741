import type { AuditEntry, Caller, ListAuditLogs, Page } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { entityPage } from '@messaging-gateway/service/entities';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';
import { namedActors } from './actors.ts';
import { firstAt, type Period } from './conditions.ts';
import { AuditEntryEntity, type AuditEntryRecord } from './entry-entity.ts';

type Shown = Static<typeof AuditEntry>;

/** A page of entries of the caller's organization, the newest first. */
export async function listAuditLogs(
  tools: AuditTools,
  { caller, query, context }: InputOf<typeof ListAuditLogs>,
): Promise<Page<Shown>> {
  const { actor: actorId, action, resourceType, resourceId } = query;
  const given = Object.entries({ actorId, action, resourceType, resourceId }).filter(
    ([, value]) => value !== undefined,
  );
  const { items, nextCursor } = await entityPage(context.em(), AuditEntryEntity, {
    where: { ...seenBy(caller, query), ...Object.fromEntries(given) },
    order: [{ property: 'id', kind: 'id' }],
    descending: true,
    query,
  });
  const actorOf = await namedActors(tools, caller.organizationId, items, context);
  return { items: items.map((entry) => shown(entry, actorOf(entry))), nextCursor };
}

/** Entries that a caller may see, of a period; an API key that is limited to some profiles sees what was done to those. */
const seenBy = ({ profileIds }: Caller, { from, to }: Period) => ({
  id: { ...(from !== undefined && { $gte: firstAt(from) }), ...(to !== undefined && { $lt: firstAt(to) }) },
  ...(profileIds !== undefined && { profileId: { $in: [...profileIds] } }),
});

const shown = (entry: AuditEntryRecord, actor: Shown['actor']): Shown => ({
  id: entry.id,
  action: entry.action,
  actor,
  resourceType: entry.resourceType ?? null,
  resourceId: entry.resourceId ?? null,
  metadata: entry.more,
  ip: entry.ip ?? null,
  userAgent: entry.userAgent ?? null,
  requestId: entry.requestId ?? null,
  timestamp: entry.at.toISOString(),
});
