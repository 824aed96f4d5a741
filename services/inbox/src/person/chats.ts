import { conversationIdOf } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import { silencedUntil } from '../chat/handovers-view.ts';

interface Row {
  /** Null: nothing is stored of it yet. */
  readonly stored: string | null;
  readonly until: Date | null;
}

/** The chat of a profile with somebody. */
export interface Chat {
  readonly conversationId: string | null;
  /** May have passed. Null: no human has taken it over. */
  readonly silencedUntil: Date | null;
}

/**
 * The chat of a profile with a person or group, also while two names of the person have a conversation each: the older one, as
 * silent as either.
 *
 * @param jids all names of one
 */
export async function chatWith(
  sql: Sql,
  { organizationId, profileId }: { readonly organizationId: string; readonly profileId: string },
  jids: readonly string[],
): Promise<Chat> {
  const rows = await sql.query<Row>(
    `SELECT c.id AS stored, ${silencedUntil('known.id', '$1')} AS until
       FROM (SELECT DISTINCT coalesce((SELECT alias.conversation_id FROM conversation_aliases alias WHERE alias.id = asked.id), asked.id) AS id
               FROM unnest($2::uuid[]) asked(id)) known
       LEFT JOIN LATERAL (
              SELECT id, created_at FROM conversations WHERE id = known.id AND organization_id = $1 OFFSET 0
            ) c ON true
      ORDER BY c.created_at NULLS LAST, c.id`,
    [organizationId, jids.map((jid) => conversationIdOf(profileId, jid))],
  );
  const ends = rows.flatMap(({ until }) => (until === null ? [] : [until]));
  return {
    conversationId: rows[0]?.stored ?? null,
    silencedUntil: ends.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null,
  };
}
