import type { Sql } from '@messaging-gateway/service';
import { recordColumns, type MessageRow } from './records.ts';
import { walkBack } from './walking-back.ts';
import { askedWords, words } from './words.ts';

export interface Search {
  readonly in: 'profile' | 'conversation';
  /** The profile, or the conversation and its aliases. */
  readonly ids: readonly string[];
  readonly text: string;
  readonly organizationId: string;
  /** Id of the message behind which the page begins. */
  readonly before: string;
}

/**
 * Messages of a profile or of a conversation (under all its ids) that hold all words, newest first. Words that are usual
 * are met soon on the way back from the newest message; the index tells where others are, all of them at once.
 */
export async function searchMessages(sql: Sql, search: Search, limit: number): Promise<MessageRow[]> {
  const { found, goOn } = await walkBack(sql, search, limit);
  const more = goOn === undefined ? [] : await byIndex(sql, { ...search, before: goOn }, limit - found.length);
  return sql.query<MessageRow>(`SELECT ${recordColumns} FROM messages m WHERE m.id = ANY ($1) ORDER BY m.id DESC`, [
    [...found, ...more],
  ]);
}

/**
 * The place is a word of the index, too: what other tenants have written is not even looked at. First all that is found, then
 * the newest of it: a plan that walks through the messages, newest first, until enough are found would read them all for a
 * rare word. The cursor is compared with what was found: PostgreSQL would read all ids below it beside the words.
 */
async function byIndex(sql: Sql, { in: place, ids, text, organizationId, before }: Search, limit: number) {
  const places = ids.map((id) => `'${place} ${id.toLowerCase()}'`).join(' | ');
  const rows = await sql.query<{ id: string }>(
    `WITH asked AS MATERIALIZED (
       SELECT $1::tsquery && ${askedWords('$2')} AS query
     ), found AS MATERIALIZED (
       SELECT id FROM messages
        WHERE ${words} @@ (SELECT query FROM asked) AND organization_id = $3 AND NOT removed
     )
     SELECT id FROM found WHERE id < $4 ORDER BY id DESC LIMIT $5`,
    [places, text, organizationId, before, limit],
  );
  return rows.map(({ id }) => id);
}
