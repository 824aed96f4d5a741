import type { Sql } from '@messaging-gateway/service';
import type { Search } from './searching.ts';
import { askedWords, textWords } from './words.ts';

/** How many messages are looked at before the index is asked, and how many more when the words turn out to be usual. */
const portions = [100, 1000];
/** Usual: in one of so many messages. Then reading on costs less than sorting all that the index finds in a large place. */
const usual = 20;

/** Messages found on the way, newest first, and the id from which on nobody has looked; none: the search is over. */
export interface Walked {
  readonly found: readonly string[];
  readonly goOn: string | undefined;
}

/** Looks through the newest messages of a place, one by one, and goes on as long as a page of them comes together. */
export async function walkBack(sql: Sql, search: Search, limit: number): Promise<Walked> {
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
