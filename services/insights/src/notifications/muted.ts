import type { ConversationUpdated, DataOf } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';

/** Follows which chats are muted: nobody is told of their messages. */
export async function followMutes(
  sql: Sql,
  organizationId: string,
  { conversationId, change, until }: DataOf<typeof ConversationUpdated>,
): Promise<void> {
  if (change === 'muted')
    await sql.query(
      `INSERT INTO notification_muted_chats (organization_id, conversation_id, until) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id, conversation_id) DO UPDATE SET until = excluded.until`,
      [organizationId, conversationId, until ?? 'infinity'],
    );
  if (change === 'unmuted')
    await sql.query('DELETE FROM notification_muted_chats WHERE organization_id = $1 AND conversation_id = $2', [
      organizationId,
      conversationId,
    ]);
}

/** Those among them that are muted. */
export async function mutedAmong(
  sql: Sql,
  organizationId: string,
  conversationIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (conversationIds.length === 0) return new Set();
  const rows = await sql.query<{ conversation_id: string }>(
    `SELECT conversation_id FROM notification_muted_chats
      WHERE organization_id = $1 AND conversation_id = ANY ($2::uuid[]) AND until > $3`,
    [organizationId, conversationIds, now],
  );
  return new Set(rows.map((row) => row.conversation_id));
}
