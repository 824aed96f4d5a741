import type { AnswerOf, BodyOf, PreviousMessages } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import { publicId } from '../message/records.ts';

/** Messages that are looked at, at most: those of a chat of pictures say nothing. */
const mostLookedAt = 500;

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface Row {
  readonly id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly said: string;
}

/** Texts and captions of a conversation, for somebody who is to answer, oldest first. */
export async function previousMessages(
  { sql }: { readonly sql: Sql },
  { organizationId, conversationId, before, limit }: BodyOf<typeof PreviousMessages>,
): Promise<AnswerOf<typeof PreviousMessages>> {
  const rows = await sql.query<Row>(
    `SELECT ${publicId} AS id, m.direction, m.said
       FROM (SELECT id, cleared_at FROM conversations
              WHERE id = coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1)
                AND organization_id = $2) c
      CROSS JOIN LATERAL (
              SELECT c.id UNION ALL SELECT id FROM conversation_aliases WHERE conversation_id = c.id
            ) known(id)
      CROSS JOIN LATERAL (
              SELECT looked.id, looked.message_id, looked.direction, looked.said
                FROM (SELECT one.id, one.message_id, one.direction, one.status,
                             coalesce(nullif(one.content->>'text', ''), nullif(one.content->>'caption', '')) AS said
                        FROM messages one
                       WHERE one.conversation_id = known.id AND one.organization_id = $2 AND NOT one.removed
                         AND one.created_at >= coalesce(c.cleared_at, 'epoch')
                         AND one.id < (SELECT coalesce((SELECT place FROM message_places WHERE message_id = $3), $3::uuid))
                       ORDER BY one.id DESC LIMIT ${mostLookedAt}) looked
               WHERE looked.said IS NOT NULL AND looked.status <> 'failed'
               ORDER BY looked.id DESC LIMIT $4
            ) m
      ORDER BY m.id DESC LIMIT $4`,
    [conversationId, organizationId, before ?? last, limit],
  );
  const messages = rows.map(({ id, direction, said }) => ({
    messageId: id,
    role: direction === 'incoming' ? ('user' as const) : ('assistant' as const),
    content: said,
  }));
  return { messages: messages.toReversed() };
}
