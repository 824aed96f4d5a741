import type { Sql } from '@messaging-gateway/service';
import DataLoader from 'dataloader';

/** Whether conversations hold unread messages, by id. Calls of one turn share a query. */
export type UnreadConversations = Pick<DataLoader<string, boolean>, 'load'>;

export const unreadConversations = (sql: Pick<Sql, 'query'>): UnreadConversations =>
  new DataLoader(
    async (ids) => {
      const rows = await sql.query<{ id: string }>(
        `SELECT asked.id FROM unnest($1::uuid[]) asked(id)
          WHERE (SELECT c.unread_count > 0 FROM conversations c
                  WHERE c.id = coalesce((SELECT a.conversation_id FROM conversation_aliases a WHERE a.id = asked.id), asked.id))`,
        [ids],
      );
      const unread = new Set(rows.map(({ id }) => id));
      return ids.map((id) => unread.has(id));
    },
    { cache: false },
  );
