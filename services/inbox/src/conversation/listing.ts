import type {
  Conversation,
  Page,
  GetConversation,
  GetUnreadCount,
  ListConversations,
} from '@messaging-gateway/contracts';
import {
  allOf,
  holding,
  ofProfiles,
  readPage,
  type Condition,
  type InputOf,
  type SortKey,
  type Sql,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { ConversationTools } from './tools.ts';
import { totalOf, unreadOf } from './counts.ts';
import {
  conversationColumns,
  isNoAlias,
  isNoAliasOnPage,
  shownConversation,
  shownConversations,
  type ConversationRow,
} from './finding.ts';

type Shown = Static<typeof Conversation>;

export async function getConversation(
  tools: ConversationTools,
  { params, caller }: InputOf<typeof GetConversation>,
): Promise<Shown> {
  return shownConversation(tools, params.id, caller);
}

const pinnedFirst: readonly SortKey<ConversationRow>[] = [
  { column: 'c.pinned IS TRUE', kind: 'flag', of: (row) => (row.pinned ? 1 : 0) },
  { column: 'c.last_message_id', kind: 'id', of: (row) => row.last_message_id },
];

/** A page of the organization's conversations: pinned ones first, then the one with the newest message. */
export async function listConversations(
  tools: ConversationTools,
  input: InputOf<typeof ListConversations>,
): Promise<Page<Shown>> {
  const conditions = chosen(input);
  const [page, total] = await Promise.all([
    readPage(tools.sql, {
      select: `SELECT ${conversationColumns} FROM conversations c`,
      where: allOf([...conditions, [isNoAliasOnPage]]),
      order: pinnedFirst,
      descending: true,
      query: input.query,
    }),
    input.query.search === undefined ? totalOf(tools.sql, input) : countFound(tools.sql, conditions),
  ]);
  return { ...page, items: await shownConversations(tools, page.items), total };
}

/** Counts what a search finds, one by one. */
async function countFound(sql: Sql, conditions: readonly Condition[]): Promise<number> {
  const { text, values } = allOf([...conditions, [isNoAlias]]);
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM conversations c WHERE ${text}`,
    values,
  );
  return row?.total ?? 0;
}

/** Unread messages in all conversations that the caller may see. */
export async function unreadCount(
  tools: ConversationTools,
  input: InputOf<typeof GetUnreadCount>,
): Promise<{ count: number }> {
  return { count: await unreadOf(tools.sql, input) };
}

/**
 * Checked, and not looked for: PostgreSQL does not know that all conversations of a profile are of one organization,
 * expects few to be of both, and would read and sort them all for a page.
 */
const isOfOrganization = 'coalesce(c.organization_id = $1, false)';

/**
 * Where contacts are written to whose name holds a text (`$2`), of an organization (`$1`): by profile those that one has,
 * those of the whole organization for all.
 */
const chatsOfNamed = (whose: 'own' | 'shared'): string => `
  SELECT ${whose === 'own' ? 'p.profile_id, ' : ''}known.jid FROM contacts p
   CROSS JOIN LATERAL (VALUES (p.phone || '@c.us'), (p.lid)) known(jid)
   WHERE p.organization_id = $1 AND NOT p.deleted AND known.jid IS NOT NULL
     AND p.profile_id IS ${whose === 'own' ? 'NOT ' : ''}NULL AND coalesce(p.name, p.push_name) ILIKE $2`;

const isNamed = `(c.name ILIKE $2 OR split_part(c.jid, '@', 1) LIKE $2 OR c.id IN (
      SELECT g.conversation_id FROM group_names g WHERE g.organization_id = $1 AND g.name ILIKE $2)
      OR (c.profile_id, c.jid) IN (${chatsOfNamed('own')}) OR c.jid IN (${chatsOfNamed('shared')}))`;

/** Conversations that the caller may see and asks for; in SQL the conversation is `c`. */
function chosen({ query, caller }: Pick<InputOf<typeof ListConversations>, 'query' | 'caller'>): readonly Condition[] {
  const { profileId, type, archived, unread, search } = query;
  const { organizationId } = caller;
  return [
    [profileId === undefined ? 'c.organization_id = $1' : isOfOrganization, organizationId],
    ['c.deleted IS NOT TRUE'],
    ofProfiles('c.profile_id', caller, profileId),
    type && [`c.jid ${type === 'group' ? '' : 'NOT '}LIKE '%@g.us'`],
    archived === undefined ? undefined : [`c.archived IS ${archived ? '' : 'NOT '}TRUE`],
    unread === undefined ? undefined : [`c.unread_count ${unread ? '>' : '='} 0`],
    search === undefined ? undefined : [isNamed, organizationId, holding(search)],
  ];
}
