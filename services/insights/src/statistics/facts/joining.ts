import type { Sql } from '@messaging-gateway/service';
import type { Join } from './fact.ts';
import { recount } from './recounting.ts';

/**
 * Chats that became others: what they hold, and will hold, belongs to those. Of two that lead to each other the first counts, as in
 * the inbox. Within the turn of their organizations.
 */
export async function joinChats(sql: Sql, joins: readonly Join[]): Promise<void> {
  for (const join of joins) await joinOne(sql, join);
}

async function joinOne(sql: Sql, { organizationId, conversationId, into }: Join): Promise<void> {
  const [found] = await sql.query<{ leads_to: string }>(
    'SELECT leads_to FROM chat_aliases WHERE organization_id = $1 AND conversation_id = $2',
    [organizationId, into],
  );
  const target = found?.leads_to ?? into;
  if (target === conversationId) return;
  const moved = [organizationId, conversationId, target];
  await sql.query(
    `INSERT INTO chat_aliases (organization_id, conversation_id, leads_to)
     SELECT $1, id, $3 FROM (
       SELECT $2::uuid UNION SELECT conversation_id FROM chat_aliases WHERE organization_id = $1 AND leads_to = $2
     ) alias(id)
     ON CONFLICT (organization_id, conversation_id) DO UPDATE SET leads_to = excluded.leads_to`,
    moved,
  );
  await sql.query(
    `UPDATE message_facts SET conversation_id = $3 WHERE organization_id = $1 AND conversation_id = $2 AND private`,
    moved,
  );
  await sql.query(
    `WITH gone AS (DELETE FROM chat_days WHERE organization_id = $1 AND conversation_id = $2 RETURNING day, profile_id)
     INSERT INTO chat_days (organization_id, day, profile_id, conversation_id)
     SELECT $1, day, profile_id, $3 FROM gone ON CONFLICT DO NOTHING`,
    moved,
  );
  for (const table of ['answers', 'chats'])
    await sql.query(`DELETE FROM ${table} WHERE organization_id = $1 AND conversation_id = $2`, [
      organizationId,
      conversationId,
    ]);
  await recount(sql, [{ organizationId, conversationId: target }]);
}
