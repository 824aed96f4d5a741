import type { GetUnreadCount, ListConversations } from '@messaging-gateway/contracts';
import { allOf, ofProfiles, whereGiven, type InputOf, type Sql } from '@messaging-gateway/service';
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

/** How many conversations a list has in all, by any filter but a search. */
export async function totalOf(
  sql: Sql,
  { query, caller }: Pick<InputOf<typeof ListConversations>, 'query' | 'caller'>,
): Promise<number> {
  const { profileId, type, archived, unread } = query;
  const { text, values } = allOf([
    ['organization_id = $1', caller.organizationId],
    ofProfiles('profile_id', caller, profileId),
    whereGiven('is_group = $1', type, (wanted) => wanted === 'group'),
    whereGiven('archived = $1', archived),
    whereGiven('unread = $1', unread),
  ]);
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM conversation_counts WHERE ${text}`,
    values,
  );
  return row?.total ?? 0;
}

/** Unread messages in all conversations that the caller may see. */
export async function unreadOf(sql: Sql, { caller }: Pick<InputOf<typeof GetUnreadCount>, 'caller'>): Promise<number> {
  const { organizationId, profileIds = null } = caller;
  const [row] = await sql.query<{ total: number }>(
    `SELECT coalesce(sum(change), 0)::int AS total FROM unread_counts
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR profile_id = ANY ($2))`,
    [organizationId, profileIds],
  );
  return row?.total ?? 0;
}
