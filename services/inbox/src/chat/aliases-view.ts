import { view } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import { conversationStream } from './conversation.ts';

/**
 * Ids of conversations that lead to another one. Aliases of what became an alias itself move along. Of two joins that lead to
 * each other, which a journal from before `joinAlone` may hold, the first counts.
 */
export const aliasesView = view({
  name: 'conversation_aliases',
  tables: ['conversation_aliases'],
  of: conversationStream,
  on: ['ConversationJoined'],
  rows: (events) => events.map(({ data: { conversationId, into } }) => ({ id: conversationId, conversation_id: into })),
  joins: true,
  sql: `
    INSERT INTO {schema}.conversation_aliases (id, conversation_id)
    SELECT DISTINCT ON (alias.id) alias.id, given.conversation_id
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, conversation_id uuid)
     CROSS JOIN LATERAL (
             SELECT given.id UNION ALL
             SELECT aliases.id FROM {schema}.conversation_aliases aliases WHERE aliases.conversation_id = given.id
           ) alias(id)
     WHERE NOT EXISTS (
             SELECT FROM {schema}.conversation_aliases before
              WHERE before.id = given.conversation_id AND before.conversation_id = given.id
           )
       AND NOT EXISTS (
             SELECT FROM {rows} before
              WHERE before.ordinal < rows.ordinal AND before.row->>'id' = rows.row->>'conversation_id'
                AND before.row->>'conversation_id' = rows.row->>'id'
           )
     ORDER BY alias.id
    ON CONFLICT (id) DO UPDATE SET conversation_id = excluded.conversation_id`,
});

/** Two aliases that led to each other had become one that leads to itself: neither of its conversations was listed. */
export const releaseFromThemselves = async ({ query }: Pick<Sql, 'query'>): Promise<void> =>
  void (await query('DELETE FROM conversation_aliases WHERE id = conversation_id'));
