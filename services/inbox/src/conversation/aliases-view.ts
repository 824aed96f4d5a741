import type { InlineView } from '@messaging-gateway/event-sourcing';
import type { ConversationEvent } from './conversation.ts';

/** Ids of conversations that lead to another one. Aliases of what became an alias itself move along. */
export const aliasesView: InlineView = {
  name: 'conversation_aliases',
  tables: ['conversation_aliases'],
  rows: (events) =>
    events.flatMap((recorded) => {
      if (recorded.type !== 'ConversationJoined') return [];
      const { conversationId, into } = recorded.data as unknown as Extract<
        ConversationEvent,
        { type: 'ConversationJoined' }
      >['data'];
      return [{ id: conversationId, conversation_id: into }];
    }),
  sql: `
    INSERT INTO {schema}.conversation_aliases (id, conversation_id)
    SELECT DISTINCT ON (alias.id) alias.id, given.conversation_id
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(id uuid, conversation_id uuid)
     CROSS JOIN LATERAL (
             SELECT given.id UNION ALL
             SELECT aliases.id FROM {schema}.conversation_aliases aliases WHERE aliases.conversation_id = given.id
           ) alias(id)
     ORDER BY alias.id
    ON CONFLICT (id) DO UPDATE SET conversation_id = excluded.conversation_id`,
};
