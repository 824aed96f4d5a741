import type { Sql } from '@messaging-gateway/service';
import { recordColumns, type MessageRow } from './records.ts';
import { askedWords, textWords, words } from './words.ts';

/** A search for words in a place: all chats of a profile, or one conversation. */
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

/** How many messages are looked at before the index is asked, and how many more when the words turn out to be usual. */
const portions = [100, 1000];
/** Usual: in one of so many messages. Then reading on costs less than sorting all that the index finds in a large place. */
const usual = 20;

/** Messages found on the way, newest first, and the id from which on nobody has looked; none: the search is over. */
interface Walked {
  readonly found: readonly string[];
  readonly goOn: string | undefined;
}

/** Looks through the newest messages of a place, one by one, and goes on as long as a page of them comes together. */
async function walkBack(sql: Sql, search: Search, limit: number): Promise<Walked> {
  const found: string[] = [];
  let before = search.before;
  for (const portion of portions) {
    const some = await look(sql, { ...search, before }, portion);
    found.push(...some.found);
    if (found.length >= limit) return { found: found.slice(0, limit), goOn: undefined };
    if (some.looked < portion || some.oldest === null) return { found, goOn: undefined };
    before = some.oldest;
    if (found.length * usual < portion) break;
  }
  return { found, goOn: before };
}

interface Looked {
  readonly found: readonly string[];
  readonly looked: number;
  readonly oldest: string | null;
}

async function look(
  sql: Sql,
  { in: place, ids, text, organizationId, before }: Search,
  portion: number,
): Promise<Looked> {
  const [row] = await sql.query<Looked>(
    `WITH looked AS MATERIALIZED (
       SELECT m.id, ${textWords} @@ ${askedWords('$2')} AS holds
         FROM unnest($1::uuid[]) place(id)
        CROSS JOIN LATERAL (
                SELECT one.id, one.content FROM messages one
                 WHERE one.${place}_id = place.id AND one.organization_id = $3 AND one.id < $4 AND NOT one.removed
                 ORDER BY one.id DESC LIMIT $5
              ) m
        ORDER BY m.id DESC LIMIT $5
     )
     SELECT coalesce(array_agg(id ORDER BY id DESC) FILTER (WHERE holds), '{}') AS found, count(*)::int AS looked,
            (array_agg(id ORDER BY id))[1] AS oldest
       FROM looked`,
    [ids, text, organizationId, before, portion],
  );
  return row ?? { found: [], looked: 0, oldest: null };
}
