import type { KnowledgeDocument } from '@messaging-gateway/contracts';
import { quotaReached, Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { DocumentRecord } from './document-entity.ts';

export type ShownDocument = Static<typeof KnowledgeDocument>;

/** Of a profile, at most. */
const mostDocuments = 1_000;
const mostChunks = 50_000;
/** Chunks that go into one statement. */
const together = 500;
/** Tries after which a document counts as failed; it is tried on all the same. */
const triesUntilFailed = 5;

export interface DocumentRow {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly name: string;
  readonly type: ShownDocument['type'];
  readonly url: string | null;
  readonly language: ShownDocument['language'];
  readonly chunk_count: number;
  /** By which all chunks have vectors. */
  readonly model: string | null;
  readonly attempts: number;
  readonly created_at: Date;
}

export const documentColumns =
  'id, organization_id, profile_id, name, type, url, language, chunk_count, model, attempts, created_at';

type NewDocument = Pick<
  DocumentRow,
  'id' | 'organization_id' | 'profile_id' | 'name' | 'type' | 'url' | 'language' | 'created_at'
> & {
  readonly chunks: readonly string[];
  /** When somebody has to make vectors. */
  readonly due_at: Date | null;
};

export const noSuchDocument = (): Refused => new Refused('NOT_FOUND', 'There is no such document.');

/** Rows of documents and their chunks, which come and go together. */
export class Documents {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Keeps a document. The one that is there already stays as it is.
   *
   * @throws Refused QUOTA_REACHED, NOT_FOUND when the profile was deleted
   */
  async add(document: NewDocument): Promise<void> {
    const { id, organization_id, profile_id, name, type, url, language, chunks, due_at, created_at } = document;
    await this.#sql.transaction(async (sql) => {
      const isNew = await sql.query(
        `INSERT INTO knowledge_documents (id, organization_id, profile_id, name, type, url, language, chunk_count, due_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING 1`,
        [id, organization_id, profile_id, name, type, url, language, chunks.length, due_at, created_at],
      );
      if (isNew.length === 0) return;
      await takeRoom(sql, document);
      for (let from = 0; from < chunks.length; from += together) {
        const contents = chunks.slice(from, from + together);
        await sql.query(
          `INSERT INTO knowledge_chunks (document_id, ordinal, organization_id, profile_id, language, content, words)
           SELECT $1, $5 + given.place, $2, $3, $4, given.content, to_tsvector(('pg_catalog.' || $4)::regconfig, given.content)
             FROM unnest($6::text[]) WITH ORDINALITY AS given (content, place)`,
          [id, organization_id, profile_id, language, from, contents],
        );
      }
    });
  }

  /** @returns false: there is none */
  async delete(id: string, organizationId: string): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const [gone] = await sql.query<{ profile_id: string; chunk_count: number }>(
        'DELETE FROM knowledge_documents WHERE id = $1 AND organization_id = $2 RETURNING profile_id, chunk_count',
        [id, organizationId],
      );
      if (gone === undefined) return false;
      await sql.query(
        `UPDATE knowledge_profiles SET documents = documents - 1, chunks = chunks - $2 WHERE profile_id = $1 AND NOT deleted`,
        [gone.profile_id, gone.chunk_count],
      );
      await sql.query('DELETE FROM knowledge_chunks WHERE document_id = $1', [id]);
      await sql.query('DELETE FROM knowledge_vectors WHERE document_id = $1', [id]);
      return true;
    });
  }

  /** The profile is gone: so is what it knew, and nothing is added any more. */
  async deleteOf(profileId: string, organizationId: string): Promise<void> {
    // Waits for who is adding something.
    await this.#sql.query(
      `INSERT INTO knowledge_profiles AS p (profile_id, organization_id, documents, chunks, deleted) VALUES ($1, $2, 0, 0, true)
       ON CONFLICT (profile_id) DO UPDATE SET documents = 0, chunks = 0, deleted = true WHERE p.organization_id = $2`,
      [profileId, organizationId],
    );
    const documents = await this.#sql.query<{ id: string }>(
      'SELECT id FROM knowledge_documents WHERE profile_id = $1 AND organization_id = $2',
      [profileId, organizationId],
    );
    for (const { id } of documents) await this.delete(id, organizationId);
    await this.#sql.query('DELETE FROM knowledge_spaces WHERE profile_id = $1 AND organization_id = $2', [
      profileId,
      organizationId,
    ]);
  }
}

/** Counts what is added; whoever adds something to the same profile waits. */
async function takeRoom(sql: Sql, { organization_id, profile_id, chunks }: NewDocument): Promise<void> {
  if (chunks.length > mostChunks) throw quotaReached('chunks in a profile', mostChunks);
  const taken = await sql.query(
    `INSERT INTO knowledge_profiles AS p (profile_id, organization_id, documents, chunks, deleted) VALUES ($1, $2, 1, $3, false)
     ON CONFLICT (profile_id) DO UPDATE SET documents = p.documents + 1, chunks = p.chunks + excluded.chunks
      WHERE p.organization_id = $2 AND NOT p.deleted AND p.documents < $4 AND p.chunks + excluded.chunks <= $5
     RETURNING 1`,
    [profile_id, organization_id, chunks.length, mostDocuments, mostChunks],
  );
  if (taken.length > 0) return;
  const [row] = await sql.query<{ documents: number }>(
    'SELECT documents FROM knowledge_profiles WHERE profile_id = $1 AND organization_id = $2 AND NOT deleted',
    [profile_id, organization_id],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such profile.');
  throw row.documents >= mostDocuments
    ? quotaReached('documents in a profile', mostDocuments)
    : quotaReached('chunks in a profile', mostChunks);
}

/** @param model that documents of the organization are to have vectors of */
export function statusOf(
  { model: has, attempts }: Pick<DocumentRecord, 'model' | 'attempts'>,
  model: string | undefined,
): ShownDocument['status'] {
  if (model === undefined || has === model) return 'ready';
  return attempts >= triesUntilFailed ? 'failed' : 'indexing';
}

export const shownDocument = (document: DocumentRecord, model: string | undefined): ShownDocument => ({
  id: document.id,
  profileId: document.profileId,
  name: document.name,
  type: document.type,
  url: document.url ?? null,
  language: document.language,
  chunkCount: document.chunkCount,
  status: statusOf(document, model),
  createdAt: document.createdAt.toISOString(),
});
