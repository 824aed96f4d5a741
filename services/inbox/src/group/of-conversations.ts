import type { Sql } from '@messaging-gateway/service';

/** Names of those conversations that are groups, by id. */
export async function namesOfGroups(
  sql: Sql,
  rows: readonly { readonly id: string; readonly jid: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.filter(({ jid }) => jid.endsWith('@g.us')).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const named = await sql.query<{ conversation_id: string; name: string }>(
    'SELECT conversation_id, name FROM group_names WHERE conversation_id = ANY ($1)',
    [ids],
  );
  return new Map(named.map(({ conversation_id: id, name }) => [id, name]));
}
