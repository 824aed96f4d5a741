import { DescribeProfile, type KnowledgeHit, type SearchKnowledge } from '@messaging-gateway/contracts';
import { assertProfileAllowed, type InputOf, type Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { fused } from './fusion.ts';
import { searchMeaning } from './meaning-search.ts';
import type { KnowledgeTools } from './tools.ts';
import { searchWords, type Place, type Scope } from './word-search.ts';

export type Hit = Static<typeof KnowledgeHit>;

/** Hits of each way, at most, before they are joined. */
const ofEach = 50;
const usual = 5;

/** @throws Refused FORBIDDEN outside the profiles of an API key, NOT_FOUND */
export async function askKnowledge(
  tools: KnowledgeTools,
  { params, body, caller }: InputOf<typeof SearchKnowledge>,
): Promise<{ items: Hit[] }> {
  const scope = { organizationId: caller.organizationId, profileId: params.profileId };
  assertProfileAllowed(caller, params.profileId);
  await tools.ask(DescribeProfile, scope);
  return { items: await searchKnowledge(tools, scope, body.query, body.limit) };
}

/**
 * Chunks of a profile's knowledge for a question, the best first: by words, and by meaning where there is a model.
 *
 * @returns nothing for a profile without knowledge
 */
export async function searchKnowledge(
  tools: KnowledgeTools,
  scope: Scope,
  query: string,
  limit = usual,
): Promise<Hit[]> {
  const [words, meaning] = await Promise.all([
    searchWords(tools.sql, scope, query, ofEach),
    searchMeaning(tools, scope, query, ofEach),
  ]);
  const best =
    meaning === undefined ? words.map(({ rank, ...place }) => ({ ...place, score: rank })) : fused([words, meaning]);
  return contentsOf(tools.sql, scope, best.slice(0, limit));
}

async function contentsOf(
  sql: Sql,
  { organizationId }: Scope,
  hits: readonly (Place & { score: number })[],
): Promise<Hit[]> {
  if (hits.length === 0) return [];
  const rows = await sql.query<Place & { name: string; content: string }>(
    `SELECT c.document_id, c.ordinal, d.name, c.content
       FROM unnest($1::uuid[], $2::int[]) AS hit (document_id, ordinal)
       JOIN knowledge_chunks c ON c.document_id = hit.document_id AND c.ordinal = hit.ordinal AND c.organization_id = $3
       JOIN knowledge_documents d ON d.id = c.document_id`,
    [hits.map((hit) => hit.document_id), hits.map((hit) => hit.ordinal), organizationId],
  );
  const read = new Map(rows.map((row) => [nameOf(row), row]));
  return hits.flatMap((hit) => {
    const row = read.get(nameOf(hit));
    if (row === undefined) return []; // deleted meanwhile
    return [
      { documentId: hit.document_id, documentName: row.name, content: row.content, score: Math.min(1, hit.score) },
    ];
  });
}

const nameOf = ({ document_id, ordinal }: Place): string => `${document_id} ${ordinal}`;
