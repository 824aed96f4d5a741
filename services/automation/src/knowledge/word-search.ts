import type { Sql } from '@messaging-gateway/service';

/** A chunk that was found. */
export interface Place {
  readonly document_id: string;
  readonly ordinal: number;
}
export interface WordHit extends Place {
  /** 0 to 1. */
  readonly rank: number;
}
export interface Scope {
  readonly organizationId: string;
  readonly profileId: string;
}

/** Different words of a query that are looked for, at most. */
const mostWords = 64;
/**
 * Chunks whose words are looked at by their distances, which costs five times as much as counting them: those with the most
 * different words. A word that most chunks hold would have all of them looked at.
 */
const closelyRanked = 500;

/**
 * Chunks that hold any of the words, as the language of their document knows them; first those that hold most different ones, then where
 * they stand often. In other languages than a chunk's the same words are others: each has its own query.
 *
 * @param limit hits of each language, at most
 */
export async function searchWords(
  sql: Sql,
  { organizationId, profileId }: Scope,
  text: string,
  limit: number,
): Promise<WordHit[]> {
  const queries = await sql.query<{ language: string; query: string | null }>(
    `SELECT used.language,
            (SELECT string_agg('''' || replace(replace(word.lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')
               FROM (SELECT lexeme FROM unnest(to_tsvector(('pg_catalog.' || used.language)::regconfig, $3)) LIMIT ${mostWords}) word
            ) AS query
       FROM (SELECT DISTINCT language FROM knowledge_documents WHERE profile_id = $1 AND organization_id = $2) used`,
    [profileId, organizationId, text],
  );
  const found = await Promise.all(
    queries.map(async ({ language, query }) =>
      query === null
        ? []
        : sql.query<WordHit>(
            `SELECT document_id, ordinal, ((16 * by_count + ts_rank_cd(words, $4::tsquery, 32)) / 2.7)::float8 AS rank
               FROM (SELECT document_id, ordinal, words, ts_rank(words, $4::tsquery) AS by_count
                       FROM knowledge_chunks
                      WHERE ARRAY[profile_id] @> ARRAY[$1::uuid] AND organization_id = $2 AND language = $3 AND words @@ $4::tsquery
                      ORDER BY by_count DESC, document_id, ordinal LIMIT ${closelyRanked}) likely
              ORDER BY rank DESC, document_id, ordinal LIMIT $5`,
            [profileId, organizationId, language, query, limit],
          ),
    ),
  );
  return found
    .flat()
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, limit);
}
