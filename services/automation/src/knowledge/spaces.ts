import { setImmediate as turn } from 'node:timers/promises';
import type { Sql } from '@messaging-gateway/service';
import type { Place } from './word-search.ts';
import { bitsOf, bytesOf, vectorOf } from './vectors.ts';

/** As many vectors must be there for a mean to be worth something: with fewer, nearly all of them are compared exactly. */
const fewest = 256;
/** Vectors that are read together. */
const together = 500;

export interface Embedded {
  readonly ordinal: number;
  readonly vector: Float32Array;
}

interface Whose {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string;
}

interface Space {
  readonly dimensions: number;
  readonly vectors: number;
  readonly mean: Buffer | null;
  readonly mean_of: number;
}

/**
 * Keeps vectors of a document. Whoever writes into the same space waits, so that all bits in it come from one mean; that is taken anew
 * whenever there are twice as many vectors.
 *
 * @returns false: the document is gone
 * @throws Error for vectors of another length than those of the space
 */
export async function keepVectors(
  sql: Sql,
  whose: Whose,
  model: string,
  embedded: readonly Embedded[],
): Promise<boolean> {
  const { id, organization_id, profile_id } = whose;
  return sql.transaction(async (one) => {
    const there = await one.query('SELECT 1 FROM knowledge_documents WHERE id = $1 FOR SHARE', [id]);
    if (there.length === 0) return false;
    const dimensions = embedded[0]?.vector.length ?? 0;
    await one.query(
      `INSERT INTO knowledge_spaces (profile_id, model, organization_id, dimensions, vectors, mean_of) VALUES ($1, $2, $3, $4, 0, 0)
       ON CONFLICT (profile_id, model) DO NOTHING`,
      [profile_id, model, organization_id, dimensions],
    );
    // A space that nothing is left in takes vectors of any length.
    await one.query(
      `UPDATE knowledge_spaces SET dimensions = $3, vectors = 0, mean = NULL, mean_of = 0
        WHERE profile_id = $1 AND model = $2 AND dimensions <> $3
          AND NOT EXISTS (SELECT 1 FROM knowledge_vectors WHERE profile_id = $1 AND model = $2)`,
      [profile_id, model, dimensions],
    );
    const [space] = await one.query<Space>(
      'SELECT dimensions, vectors, mean, mean_of FROM knowledge_spaces WHERE profile_id = $1 AND model = $2 FOR UPDATE',
      [profile_id, model],
    );
    if (space === undefined || embedded.some(({ vector }) => vector.length !== space.dimensions))
      throw new Error('The provider answered vectors of another length.');
    const mean = space.mean === null ? undefined : vectorOf(space.mean);
    const added = await one.query(
      `INSERT INTO knowledge_vectors (document_id, model, ordinal, organization_id, profile_id, bits, vector)
       SELECT $1, $2, given.ordinal, $3, $4, given.bits::bit varying, given.vector
         FROM unnest($5::int[], $6::text[], $7::bytea[]) AS given (ordinal, bits, vector)
       ON CONFLICT (document_id, model, ordinal) DO NOTHING RETURNING 1`,
      [
        id,
        model,
        organization_id,
        profile_id,
        embedded.map(({ ordinal }) => ordinal),
        embedded.map(({ vector }) => bitsOf(vector, mean)),
        embedded.map(({ vector }) => bytesOf(vector)),
      ],
    );
    const vectors = space.vectors + added.length;
    await one.query('UPDATE knowledge_spaces SET vectors = $3 WHERE profile_id = $1 AND model = $2', [
      profile_id,
      model,
      vectors,
    ]);
    if (vectors >= Math.max(fewest, 2 * space.mean_of)) await takeMean(one, profile_id, model, space.dimensions);
    return true;
  });
}

/** Notes that a document has all its vectors. What was made by other models goes once nothing of the profile lacks this one's. */
export async function completeDocument(sql: Sql, { id, profile_id }: Whose, model: string): Promise<void> {
  await sql.transaction(async (one) => {
    await one.query('UPDATE knowledge_documents SET model = $2, attempts = 0, due_at = NULL WHERE id = $1', [
      id,
      model,
    ]);
    // Of two that complete the last documents the second one sees both.
    await one.query('SELECT 1 FROM knowledge_spaces WHERE profile_id = $1 AND model = $2 FOR UPDATE', [
      profile_id,
      model,
    ]);
    const [lacking] = await one.query(
      'SELECT 1 FROM knowledge_documents WHERE profile_id = $1 AND model IS DISTINCT FROM $2 LIMIT 1',
      [profile_id, model],
    );
    if (lacking !== undefined) return;
    await one.query('DELETE FROM knowledge_vectors WHERE profile_id = $1 AND model <> $2', [profile_id, model]);
    await one.query('DELETE FROM knowledge_spaces WHERE profile_id = $1 AND model <> $2', [profile_id, model]);
  });
}

/** Takes the mean of a space, and all bits anew by it. */
async function takeMean(sql: Sql, profileId: string, model: string, dimensions: number): Promise<void> {
  const sums = new Float64Array(dimensions);
  let count = 0;
  for await (const { vector } of vectorsIn(sql, profileId, model)) {
    for (let at = 0; at < dimensions; at += 1) sums[at] = (sums[at] as number) + (vector[at] as number);
    count += 1;
  }
  const mean = Float32Array.from(sums, (sum) => sum / count);
  let changed: (Place & { bits: string })[] = [];
  const write = async (): Promise<void> => {
    await sql.query(
      `UPDATE knowledge_vectors v SET bits = given.bits::bit varying
         FROM unnest($2::uuid[], $3::int[], $4::text[]) AS given (document_id, ordinal, bits)
        WHERE v.model = $1 AND v.document_id = given.document_id AND v.ordinal = given.ordinal`,
      [model, changed.map((one) => one.document_id), changed.map((one) => one.ordinal), changed.map((one) => one.bits)],
    );
    changed = [];
  };
  for await (const { vector, ...place } of vectorsIn(sql, profileId, model)) {
    changed.push({ ...place, bits: bitsOf(vector, mean) });
    if (changed.length === together) await write();
  }
  await write();
  await sql.query('UPDATE knowledge_spaces SET mean = $3, mean_of = $4 WHERE profile_id = $1 AND model = $2', [
    profileId,
    model,
    bytesOf(mean),
    count,
  ]);
}

/** All vectors of a space, some at a time; others have their turn in between. */
async function* vectorsIn(
  sql: Sql,
  profileId: string,
  model: string,
): AsyncGenerator<Place & { vector: Float32Array }> {
  let last: Place = { document_id: '00000000-0000-0000-0000-000000000000', ordinal: 0 };
  for (;;) {
    const rows = await sql.query<Place & { vector: Buffer }>(
      `SELECT document_id, ordinal, vector FROM knowledge_vectors
        WHERE profile_id = $1 AND model = $2 AND (document_id, ordinal) > ($3, $4) ORDER BY document_id, ordinal LIMIT ${together}`,
      [profileId, model, last.document_id, last.ordinal],
    );
    for (const { vector, ...place } of rows) yield { ...place, vector: vectorOf(vector) };
    const end = rows.at(-1);
    if (end === undefined || rows.length < together) return;
    last = { document_id: end.document_id, ordinal: end.ordinal };
    await turn();
  }
}
