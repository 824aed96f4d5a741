import type { Caller, Conversation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { timerOfChat } from '../chat/chat-timer.ts';
import { silencedUntil, silentNow } from '../chat/handovers-view.ts';
import { contactsOfChats } from '../contact/of-chats.ts';
import type { ConversationTools } from './tools.ts';
import { namesOfGroups } from '../group/of-conversations.ts';
import { lastMessages } from './last-messages.ts';

type Shown = Static<typeof Conversation>;

/** A conversation as it is read for an answer. */
export interface ConversationRow {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly jid: string;
  readonly name: string | null;
  readonly unread_count: number;
  readonly archived: boolean;
  /** An infinite number when it is muted for good or not at all. */
  readonly muted_until: Date | number | null;
  readonly pinned: boolean;
  readonly last_message_id: string;
  readonly cleared_at: Date | null;
  /** May have passed. */
  readonly handover_until: Date | null;
  /** Seconds; 0 or null: without a timer. */
  readonly disappear_after: number | null;
}

export const conversationColumns =
  'c.id, c.organization_id, c.profile_id, c.jid, c.name, c.unread_count, ' +
  'c.archived IS TRUE AS archived, c.muted_until, c.pinned IS TRUE AS pinned, c.last_message_id, c.cleared_at, ' +
  `${silencedUntil('c.id', 'c.organization_id')} AS handover_until, ${timerOfChat('c.id')} AS disappear_after`;
/** Leaves out what has become an alias, where all conversations are gone through. */
export const isNoAlias = 'NOT EXISTS (SELECT FROM conversation_aliases alias WHERE alias.id = c.id)';
/**
 * Condition that an id is no alias, for a page: looked up one by one. For a join PostgreSQL takes every alias for one
 * of a conversation that is listed, expects next to nothing to be left, and reads and sorts all conversations.
 */
export const isNoAliasOnPage =
  '(SELECT true FROM conversation_aliases alias WHERE alias.id = c.id LIMIT 1) IS NOT TRUE';

/** Nothing of it has not failed, and nobody has deleted it: it is not listed. */
const isWithoutSuccess = '(c.not_failed = 0 AND c.erased IS NOT TRUE)';

/**
 * A conversation by its id or by one that has become an alias of it.
 *
 * @throws Refused NOT_FOUND, also for another organization's; FORBIDDEN outside the profiles of an API key
 */
export async function findConversation(
  tools: ConversationTools,
  id: string | undefined,
  caller: Caller,
): Promise<ConversationRow> {
  const [row] = await tools.sql.query<ConversationRow>(
    `SELECT ${conversationColumns} FROM conversations c
      WHERE c.id = coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1) AND c.organization_id = $2
        AND (c.deleted IS NOT TRUE OR ${isWithoutSuccess})`,
    [id, caller.organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such conversation.');
  assertProfileAllowed(caller, row.profile_id);
  return row;
}

/** Conversations of one organization as answers show them, with their newest messages and the contacts they are with. */
export async function shownConversations(tools: ConversationTools, rows: readonly ConversationRow[]): Promise<Shown[]> {
  const [lastOf, contactOf, groupNames] = await Promise.all([
    lastMessages(tools.sql, rows),
    contactsOfChats(tools.sql, rows[0]?.organization_id, rows),
    namesOfGroups(tools.sql, rows),
  ]);
  return rows.map((row) => {
    const lastMessage = lastOf.get(row.id) ?? null;
    const contact = contactOf(row);
    return {
      id: row.id,
      profileId: row.profile_id,
      jid: row.jid,
      type: row.jid.endsWith('@g.us') ? 'group' : 'user',
      name: contact?.name ?? groupNames.get(row.id) ?? row.name,
      contactId: contact?.id ?? null,
      unreadCount: row.unread_count,
      archived: row.archived,
      ...mutedOf(row, tools.clock.now()),
      pinned: row.pinned,
      handoverUntil: silentNow(row.handover_until, tools.clock.now()),
      disappearAfterSeconds: row.disappear_after || null,
      lastMessageAt: lastMessage?.timestamp ?? null,
      lastMessage,
    };
  });
}

export async function shownConversation(
  tools: ConversationTools,
  id: string | undefined,
  caller: Caller,
): Promise<Shown> {
  const [shown] = await shownConversations(tools, [await findConversation(tools, id, caller)]);
  return shown as Shown;
}

function mutedOf({ muted_until: until }: ConversationRow, now: number): { muted: boolean; mutedUntil?: string } {
  if (until === null || Number(until) <= now) return { muted: false };
  return until instanceof Date ? { muted: true, mutedUntil: until.toISOString() } : { muted: true };
}
