import type { Sql } from '@messaging-gateway/service';
import { recordColumns, recordJoins, type MessageRow } from './records.ts';

/** The words of a message, and where it belongs: the expression of the index `messages_words_index`. */
const words = `(to_tsvector('simple', coalesce(content->>'text', '') || ' ' || coalesce(content->>'caption', '') || ' ' ||
                      coalesce(content->>'filename', '') || ' ' || coalesce(content->>'question', '') || ' ' ||
                      coalesce(content->>'name', ''))
  || array_to_tsvector(ARRAY['profile ' || profile_id::text, 'conversation ' || conversation_id::text]))`;

/**
 * Messages of a profile or of a conversation (under all its ids) that hold all words, newest first. The place is a word of the
 * index, too: what other tenants have written is not even looked at. First all that is found, then the newest of it:
 * a plan that walks through the messages, newest first, until enough are found would read them all for a rare word.
 *
 * @param before id of the message behind which the page begins
 */
export async function searchMessages(
  sql: Sql,
  within: { readonly in: 'profile' | 'conversation'; readonly ids: readonly string[] },
  text: string,
  organizationId: string,
  before: string,
  limit: number,
): Promise<MessageRow[]> {
  const place = within.ids.map((id) => `'${within.in} ${id.toLowerCase()}'`).join(' | ');
  return sql.query<MessageRow>(
    `WITH asked AS MATERIALIZED (
       SELECT $1::tsquery && (nullif(plainto_tsquery('simple', $2)::text, '') || ':*')::tsquery AS query
     ), found AS MATERIALIZED (
       SELECT id FROM messages
        WHERE ${words} @@ (SELECT query FROM asked) AND organization_id = $3 AND id < $4 AND NOT removed
     )
     SELECT ${recordColumns} FROM messages m ${recordJoins}
      WHERE m.id = ANY (ARRAY(SELECT id FROM found ORDER BY id DESC LIMIT $5)) ORDER BY m.id DESC`,
    [place, text, organizationId, before, limit],
  );
}
