import { DescribeActors, type AuditActor } from '@messaging-gateway/contracts';
import type { RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { AuditTools } from './tools.ts';

export interface ActorRow {
  readonly actorType: string;
  readonly actorId: string;
}

type Actor = Static<typeof AuditActor>;

/** Names users and API keys as identity calls them now: the audit itself keeps no names. */
export async function namedActors(
  { ask }: AuditTools,
  organizationId: string,
  rows: readonly ActorRow[],
  { requestId, traceparent, deadline }: RequestContext,
): Promise<(row: ActorRow) => Actor> {
  const idsOf = (type: string): string[] => [
    ...new Set(rows.filter((row) => row.actorType === type).map((row) => row.actorId)),
  ];
  const [userIds, apiKeyIds] = [idsOf('user'), idsOf('api_key')];
  const { items } =
    userIds.length + apiKeyIds.length === 0
      ? { items: [] }
      : await ask(DescribeActors, { organizationId, userIds, apiKeyIds }, { requestId, traceparent, deadline });
  const names = new Map(items.map(({ type, id, name }) => [`${type}:${id}`, name]));
  return ({ actorType: type, actorId: id }) => ({
    type: type as Actor['type'],
    id,
    name: names.get(`${type}:${id}`) ?? null,
  });
}
