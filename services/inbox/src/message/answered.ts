import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import DataLoader from 'dataloader';
import type { ReadBy } from '../chat/conversation.ts';
import { readConversation } from '../chat/read-conversation.ts';
import type { Outgoing } from './message.ts';
import { placeOf } from './place.ts';
import type { MessageTools } from './tools.ts';

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

/**
 * Counts the messages before an answer as read: the owner wrote it on the phone, or somebody through the API. No read receipts leave.
 * Messages that nobody writes as an answer (bulk, broadcasts, schedules, automation, one-time codes) change nothing.
 */
export async function readByAnswer(tools: MessageTools, answer: Outgoing, metadata: EventMetadata): Promise<void> {
  const by = readerOf(answer);
  if (by === undefined || !(await tools.unreadConversations.load(answer.conversationId))) return;
  const reading = { conversationId: answer.conversationId, upTo: placeOf(answer), by };
  await readConversation(tools, reading, { metadata });
}

function readerOf({ origin, isCode, silent, type }: Outgoing): ReadBy | undefined {
  if (silent || isCode === true || type === 'unsupported') return undefined;
  return origin === 'phone' ? 'phone' : origin === 'api' ? 'answer' : undefined;
}
