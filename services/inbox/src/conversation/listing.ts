import type { Conversation, Page } from '@messaging-gateway/contracts';
import { assertProfileAllowed, decodeCursor, pageOf, type OperationInput, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { InboxTools } from '../tools.ts';
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

export async function getConversation(tools: InboxTools, { params, caller }: OperationInput<unknown>): Promise<Shown> {
  return shownConversation(tools, params['id'], caller);
}

/** A page of the organization's conversations: pinned ones first, then the one with the newest message. */
export async function listConversations(tools: InboxTools, input: OperationInput<unknown>): Promise<Page<Shown>> {
  const limit = Number(input.query['limit'] ?? 50);
  const [pinned, before] = decodeCursor(input.query['cursor'], ['number', 'id']) ?? [];
  const chosen = filterOf(input);
  const values = [...chosen.values];
  const older =
    before === undefined
      ? ''
      : `AND (c.pinned IS TRUE, c.last_message_id) < ($${values.push(pinned === 1)}::boolean, $${values.push(before)}::uuid)`;
  const [rows, total] = await Promise.all([
    tools.sql.query<ConversationRow>(
      `SELECT ${conversationColumns} FROM conversations c WHERE ${chosen.condition} AND ${isNoAliasOnPage} ${older}
        ORDER BY c.pinned IS TRUE DESC, c.last_message_id DESC LIMIT ${limit + 1}`,
      values,
    ),
    input.query['search'] === undefined ? totalOf(tools.sql, input) : countFound(tools.sql, chosen),
  ]);
  const page = pageOf(
    rows,
    limit,
    (row) => [row.pinned ? 1 : 0, row.last_message_id],
    (row) => row,
  );
  return { ...page, items: await shownConversations(tools, page.items), total };
}

/** Counts what a search finds, one by one. */
async function countFound(sql: Sql, { condition, values }: Filter): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM conversations c WHERE ${condition} AND ${isNoAlias}`,
    values,
  );
  return row?.total ?? 0;
}

/** Unread messages in all conversations that the caller may see. */
export async function unreadCount(tools: InboxTools, input: OperationInput<unknown>): Promise<{ count: number }> {
  return { count: await unreadOf(tools.sql, input) };
}

interface Filter {
  readonly condition: string;
  readonly values: readonly unknown[];
}

/**
 * Checked, and not looked for: PostgreSQL does not know that all conversations of a profile are of one organization,
 * expects few to be of both, and would read and sort them all for a page.
 */
const isOfOrganization = 'coalesce(c.organization_id = $1, false)';

/**
 * Where contacts are written to whose name holds a text: by profile those that one has, those of the whole organization
 * for all.
 */
const chatsOfNamed = (part: string, whose: 'own' | 'shared'): string => `
  SELECT ${whose === 'own' ? 'p.profile_id, ' : ''}known.jid FROM contacts p
   CROSS JOIN LATERAL (VALUES (p.phone || '@c.us'), (p.lid)) known(jid)
   WHERE p.organization_id = $1 AND NOT p.deleted AND known.jid IS NOT NULL
     AND p.profile_id IS ${whose === 'own' ? 'NOT ' : ''}NULL AND coalesce(p.name, p.push_name) ILIKE ${part}`;

function filterOf({ query, caller }: Pick<OperationInput<unknown>, 'query' | 'caller'>): Filter {
  const { profileId, type, archived, unread, search } = query;
  const values: unknown[] = [caller.organizationId];
  const conditions = [profileId === undefined ? 'c.organization_id = $1' : isOfOrganization, 'c.deleted IS NOT TRUE'];
  const value = (given: unknown): string => `$${values.push(given)}`;
  if (profileId !== undefined) {
    assertProfileAllowed(caller, profileId as string);
    conditions.push(`c.profile_id = ${value(profileId)}`);
  } else if (caller.profileIds !== undefined) conditions.push(`c.profile_id = ANY (${value(caller.profileIds)})`);
  if (type !== undefined) conditions.push(`c.jid ${type === 'group' ? '' : 'NOT '}LIKE '%@g.us'`);
  if (archived !== undefined) conditions.push(`c.archived IS ${archived === true ? '' : 'NOT '}TRUE`);
  if (unread !== undefined) conditions.push(`c.unread_count ${unread === true ? '>' : '='} 0`);
  if (search !== undefined) {
    const part = value(`%${(search as string).replaceAll(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(c.name ILIKE ${part} OR split_part(c.jid, '@', 1) LIKE ${part} OR c.id IN (
      SELECT g.conversation_id FROM group_names g WHERE g.organization_id = $1 AND g.name ILIKE ${part})
      OR (c.profile_id, c.jid) IN (${chatsOfNamed(part, 'own')}) OR c.jid IN (${chatsOfNamed(part, 'shared')}))`);
  }
  return { condition: conditions.join(' AND '), values };
}
