import type { MessageRecord, Page, ListMessagesOfConversation } from '@messaging-gateway/contracts';
import { pageOf, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { pageAsked } from '../message/reading.ts';
import { recordColumns, shownMessage, type MessageRow } from '../message/records.ts';
import { searchMessages } from '../message/searching.ts';
import { findConversation } from './finding.ts';
import type { ConversationTools } from './tools.ts';

type Shown = Static<typeof MessageRecord>;

/** A page of a conversation's messages, newest first, those that were stored under an alias of it too. */
export async function listConversationMessages(
  tools: ConversationTools,
  id: string,
  { query, caller }: Omit<InputOf<typeof ListMessagesOfConversation>, 'params'>,
): Promise<Page<Shown>> {
  const { id: conversationId, cleared_at: cleared } = await findConversation(tools, id, caller);
  const { limit, before, search } = pageAsked(query);
  const { organizationId } = caller;
  if (search !== undefined) {
    const aliases = await tools.sql.query<{ id: string }>(
      'SELECT id FROM conversation_aliases WHERE conversation_id = $1',
      [conversationId],
    );
    const ids = [conversationId, ...aliases.map((alias) => alias.id)];
    const within = { in: 'conversation', ids, text: search, organizationId, before } as const;
    const found = await searchMessages(tools.sql, within, limit + 1);
    return pageOf(found, limit, (row) => [row.place], shownMessage);
  }
  const rows = await tools.sql.query<MessageRow>(
    `SELECT ${recordColumns}
       FROM (SELECT $1::uuid AS id UNION ALL SELECT id FROM conversation_aliases WHERE conversation_id = $1) known
      CROSS JOIN LATERAL (
              SELECT * FROM messages one
               WHERE one.conversation_id = known.id AND one.organization_id = $2 AND one.id < $3 AND NOT one.removed
                 AND one.created_at >= $5
               ORDER BY one.id DESC LIMIT $4
            ) m
      ORDER BY m.id DESC LIMIT $4`,
    [conversationId, organizationId, before, limit + 1, cleared ?? new Date(0)],
  );
  return pageOf(rows, limit, (row) => [row.place], shownMessage);
}
