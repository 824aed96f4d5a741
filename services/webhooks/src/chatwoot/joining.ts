import type { Sql } from '@messaging-gateway/service';
import type { Lane } from './outbox.ts';

/**
 * Makes the line of a chat that of another one, which it turned out to be: what waits in it goes there, and what agents write in its
 * conversation in Chatwoot is for that one. Doing it again moves what has come since.
 */
export async function joinLane(sql: Sql, lane: Lane, given: string, now: number): Promise<void> {
  await sql.transaction(async (inside) => {
    const alias = lane.conversation_id;
    const [row] = await inside.query<{ into: string }>(
      `SELECT coalesce((SELECT joined_into FROM chatwoot_lanes WHERE conversation_id = $2), $2) AS into
         FROM chatwoot_lanes WHERE conversation_id = $1 FOR UPDATE`,
      [alias, given],
    );
    if (row === undefined || row.into === alias) return;
    // Its conversation in Chatwoot goes on as the other one's, unless that has its own.
    await inside.query(
      `INSERT INTO chatwoot_lanes AS held (conversation_id, organization_id, profile_id, chat, contact_id, remote_id, making, told, next_look_at)
       SELECT $2, organization_id, profile_id, chat, contact_id, remote_id, making, 1, $3 FROM chatwoot_lanes WHERE conversation_id = $1
       ON CONFLICT (conversation_id) DO UPDATE SET told = held.told + 1, next_look_at = coalesce(held.next_look_at, excluded.next_look_at),
         contact_id = coalesce(held.contact_id, excluded.contact_id), remote_id = coalesce(held.remote_id, excluded.remote_id)`,
      [alias, row.into, new Date(now)],
    );
    const ids = [alias, row.into];
    await inside.query(
      'UPDATE chatwoot_lanes SET joined_into = $2 WHERE conversation_id = $1 OR (organization_id = $3 AND joined_into = $1)',
      [...ids, lane.organization_id],
    );
    await inside.query('UPDATE chatwoot_outbox SET conversation_id = $2 WHERE conversation_id = $1', ids);
    await inside.query(
      'UPDATE chatwoot_answers SET conversation_id = $2 WHERE conversation_id = $1 AND sealed IS NOT NULL',
      ids,
    );
  });
}
