import type { OperationInput, Sql } from '@messaging-gateway/service';
import type { KeptNumber } from '../counting/kept-number.ts';

/** How many conversations there are. */
export const conversationCounts: KeptNumber = {
  table: 'conversation_counts',
  groups: 'organization_id, profile_id, is_group, archived, unread',
  counted: `
    SELECT organization_id, profile_id, jid LIKE '%@g.us', archived IS TRUE, unread_count > 0, 1 FROM conversations c
     WHERE deleted IS NOT TRUE AND NOT EXISTS (SELECT FROM conversation_aliases a WHERE a.id = c.id)`,
};

/** How many messages are unread. */
export const unreadCounts: KeptNumber = {
  table: 'unread_counts',
  groups: 'organization_id, profile_id',
  counted: `
    SELECT organization_id, profile_id, unread_count FROM conversations c
     WHERE deleted IS NOT TRUE AND unread_count > 0
       AND NOT EXISTS (SELECT FROM conversation_aliases a WHERE a.id = c.id)`,
};

/** How many conversations a list has in all, by any filter but a search. The profile that is asked for must be allowed. */
export async function totalOf(
  sql: Sql,
  { query, caller }: Pick<OperationInput<unknown>, 'query' | 'caller'>,
): Promise<number> {
  const values: unknown[] = [caller.organizationId];
  const conditions = ['organization_id = $1'];
  const { profileId, type, archived, unread } = query;
  if (profileId !== undefined) conditions.push(`profile_id = $${values.push(profileId)}`);
  else if (caller.profileIds !== undefined) conditions.push(`profile_id = ANY ($${values.push(caller.profileIds)})`);
  if (type !== undefined) conditions.push(type === 'group' ? 'is_group' : 'NOT is_group');
  if (archived !== undefined) conditions.push(archived === true ? 'archived' : 'NOT archived');
  if (unread !== undefined) conditions.push(unread === true ? 'unread' : 'NOT unread');
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM conversation_counts WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return row?.total ?? 0;
}

/** Unread messages in all conversations that the caller may see. */
export async function unreadOf(sql: Sql, { caller }: Pick<OperationInput<unknown>, 'caller'>): Promise<number> {
  const { organizationId, profileIds = null } = caller;
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM unread_counts
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))`,
    [organizationId, profileIds],
  );
  return row?.total ?? 0;
}
