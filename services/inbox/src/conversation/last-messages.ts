import type { MessageRecord } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { recordColumns, shownMessage, type MessageRow } from '../message/records.ts';

interface Place {
  readonly id: string;
  readonly last_message_id: string;
}

/** The newest message of each conversation, by the conversation's id; those without messages are left out. */
export async function lastMessages(
  sql: Sql,
  places: readonly Place[],
): Promise<ReadonlyMap<string, Static<typeof MessageRecord>>> {
  const rows = await sql.query<MessageRow>(
    `SELECT ${recordColumns} FROM messages m WHERE m.id = ANY ($1) AND NOT m.removed`,
    [places.map((place) => place.last_message_id)],
  );
  const byId = new Map(rows.map((row) => [row.place, row]));
  const without = places.filter((place) => !byId.has(place.last_message_id));
  const older = without.length === 0 ? new Map<string, MessageRow>() : await newestLeft(sql, without);
  return new Map(
    places.flatMap(({ id, last_message_id }) => {
      const row = byId.get(last_message_id) ?? older.get(id);
      return row === undefined ? [] : [[id, shownMessage(row)] as const];
    }),
  );
}

/** For conversations whose newest message was deleted. */
async function newestLeft(sql: Sql, places: readonly Place[]): Promise<Map<string, MessageRow>> {
  const rows = await sql.query<MessageRow & { conversation: string }>(
    `SELECT asked.id AS conversation, ${recordColumns} FROM unnest($1::uuid[]) asked(id)
      CROSS JOIN LATERAL (
              SELECT newest.*
                FROM (SELECT asked.id UNION ALL SELECT id FROM conversation_aliases WHERE conversation_id = asked.id) known(id)
               CROSS JOIN LATERAL (
                       SELECT * FROM messages one WHERE one.conversation_id = known.id AND NOT one.removed
                        ORDER BY one.id DESC LIMIT 1
                     ) newest
               ORDER BY newest.id DESC LIMIT 1
            ) m`,
    [places.map((place) => place.id)],
  );
  return new Map(rows.map((row) => [row.conversation, row]));
}
