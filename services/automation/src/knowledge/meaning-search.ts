import type { Sql } from '@messaging-gateway/service';
import type { KnowledgeTools } from './tools.ts';
import { alikeness, bitsOf, unitOf, vectorOf } from './vectors.ts';
import type { Place, Scope } from './word-search.ts';

/** Chunks whose bits are nearest: among them are the nearest ones themselves, unless the vectors are noise. */
const shortlist = 200;
/** Longest wait of a search for the meaning of a question, milliseconds: then words must do. */
const patienceMs = 5_000;

interface Space {
  readonly model: string;
  readonly dimensions: number;
  readonly mean: Buffer | null;
}

/**
 * Chunks that mean what the question means, the nearest first.
 *
 * @returns undefined: there is no model, nothing has a vector yet, or the provider fails: words find something all the same
 */
export async function searchMeaning(
  { sql, embeddings, log }: Pick<KnowledgeTools, 'sql' | 'embeddings' | 'log'>,
  scope: Scope,
  query: string,
  limit: number,
): Promise<Place[] | undefined> {
  const { organizationId } = scope;
  const wanted = await embeddings.modelOf(organizationId);
  if (wanted === undefined) return undefined;
  const space = await spaceFor(sql, scope, wanted);
  if (space === undefined) return undefined;
  try {
    const [numbers] = await embeddings.embed(organizationId, [query], space.model, AbortSignal.timeout(patienceMs));
    if (numbers?.length !== space.dimensions) throw new Error('The provider answered a vector of another length.');
    return await nearest(sql, scope, space, unitOf(numbers), limit);
  } catch (error) {
    log.warn('Knowledge searched by words only', { model: space.model, reason: String(error) });
    return undefined;
  }
}

/** The space of the model, or while it does not hold all of the profile the one that did before. */
async function spaceFor(sql: Sql, { organizationId, profileId }: Scope, wanted: string): Promise<Space | undefined> {
  const [space] = await sql.query<Space>(
    `SELECT s.model, s.dimensions, s.mean
       FROM knowledge_spaces s
      WHERE s.profile_id = $1 AND s.organization_id = $2
      ORDER BY (s.model = $3) = (NOT EXISTS (SELECT 1 FROM knowledge_documents d
                                              WHERE d.profile_id = $1 AND d.model IS DISTINCT FROM $3)) DESC,
               s.vectors DESC LIMIT 1`,
    [profileId, organizationId, wanted],
  );
  return space;
}

/** By bits first, as rows are short without their vectors; then exactly. */
async function nearest(
  sql: Sql,
  { organizationId, profileId }: Scope,
  { model, mean }: Space,
  vector: Float32Array,
  limit: number,
): Promise<Place[]> {
  const bits = bitsOf(vector, mean === null ? undefined : vectorOf(mean));
  const rows = await sql.query<Place & { vector: Buffer }>(
    `SELECT document_id, ordinal, vector FROM knowledge_vectors
      WHERE profile_id = $1 AND model = $2 AND organization_id = $3
      ORDER BY bit_count(bits # $4::bit varying) LIMIT ${shortlist}`,
    [profileId, model, organizationId, bits],
  );
  return rows
    .map(({ document_id, ordinal, vector: stored }) => ({
      document_id,
      ordinal,
      near: alikeness(vector, vectorOf(stored)),
    }))
    .toSorted((one, other) => other.near - one.near)
    .slice(0, limit);
}
