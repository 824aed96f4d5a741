import type { ClearConversation } from '@messaging-gateway/contracts';
import { Unavailable } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import { askedBy } from '../fact.ts';
import { mediaColumns, ownMedia, type MessageWithMedia } from '../message/own-media.ts';
import type { ConversationTools } from './tools.ts';
import { conversationStream } from '../chat/conversation.ts';
import { findConversation } from './finding.ts';

/** Tries, at most: others may read or clear it at the same moment. */
const mostTries = 5;
/** Messages in one statement, at most: others wait for its locks. */
const portion = 1000;

/**
 * Deletes what is stored of a conversation, and with `deleted` the conversation itself. What arrives meanwhile stays.
 * Lists leave out what was cleared from the moment on in which that is journalled; the rows go right after.
 */
export async function clear(
  tools: ConversationTools,
  { params, caller, context }: InputOf<typeof ClearConversation>,
  deleted: boolean,
): Promise<void> {
  const { id: conversationId, profile_id: profileId } = await findConversation(tools, params.id, caller);
  for (let tries = 0; ; tries++) {
    // Before the count: what is read in between makes the count void.
    const { state } = await tools.store.load(conversationStream, conversationId);
    const { unread_count: count } = await findConversation(tools, conversationId, caller);
    const at = new Date(tools.clock.now()).toISOString();
    const command = { type: 'Clear', conversationId, profileId, count, at, deleted, reads: state.reads } as const;
    const { outcome } = await tools.store.handle(conversationStream, conversationId, command, {
      metadata: askedBy(caller, context, profileId),
      onAppended: context.appended,
    });
    if (outcome === 'appended') return sweep(tools, conversationId, at);
    if (tries >= mostTries) throw new Unavailable('Others are reading the conversation at this moment.');
  }
}

/** Deletes the rows of cleared messages: those of conversations whose views were made anew have come back. */
export async function sweepCleared(tools: Sweeping): Promise<void> {
  const rows = await tools.sql.query<{ id: string; cleared_at: Date }>(
    `SELECT c.id, c.cleared_at FROM conversations c
      WHERE c.cleared_at IS NOT NULL
        AND EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.created_at < c.cleared_at)`,
  );
  // What came in that very moment is not known to have come before.
  for (const { id, cleared_at: at } of rows) await sweep(tools, id, new Date(at.getTime() - 1).toISOString());
}

type Sweeping = Pick<ConversationTools, 'sql' | 'doomedMedia'>;

/** Rows go together with the note on their media, which are deleted from the store soon after. */
async function sweep({ sql, doomedMedia }: Sweeping, conversationId: string, at: string): Promise<void> {
  for (let found = portion; found === portion;) {
    const rows = await sql.query<MessageWithMedia>(
      `SELECT ${mediaColumns} FROM messages m
        WHERE (m.conversation_id = $1
           OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $1))
          AND m.created_at <= $2
        LIMIT ${portion}`,
      [conversationId, at],
    );
    const noted = rows.flatMap((row) => ownMedia(row).map((key) => ({ key, message_id: row.id })));
    await sql.query(
      `WITH gone AS (DELETE FROM messages WHERE id = ANY ($1)),
            answers AS (DELETE FROM message_responses WHERE message_id = ANY ($3)),
            places AS (DELETE FROM message_places WHERE message_id = ANY ($3))
       INSERT INTO doomed_media (key, message_id, noted_at)
       SELECT key, message_id, now() FROM jsonb_to_recordset($2) noted(key text, message_id uuid)
       ON CONFLICT (key) DO NOTHING`,
      [rows.map(({ place }) => place), JSON.stringify(noted), rows.map(({ id }) => id)],
    );
    found = rows.length;
  }
  doomedMedia.wake();
}
