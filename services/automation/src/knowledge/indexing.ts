import { attending, DueRows, every, type DueJob, type PeriodicJob } from '@messaging-gateway/service';
import { documentColumns, type DocumentRow } from './documents.ts';
import { completeDocument, keepVectors } from './spaces.ts';
import type { KnowledgeTools } from './tools.ts';
import { unitOf } from './vectors.ts';

/** Chunks that a provider is asked about at once. */
const together = 64;
/** Providers that are asked at the same time, at most. */
const atOnce = 4;
/** So long a document is this process's, milliseconds: longer than a provider may take, with its second try. */
const leaseMs = 90_000;
const [firstPauseMs, longestPauseMs] = [2_000, 3_600_000];

/** Makes the vectors of documents, some chunks of each in turn: what a process that died had made is not made again. */
export class Indexing {
  readonly #tools: KnowledgeTools;
  readonly job: DueJob;

  constructor(tools: KnowledgeTools) {
    this.#tools = tools;
    const table = { table: 'knowledge_documents', key: 'id', due: 'due_at', owner: 'organization_id' };
    this.job = attending({
      name: 'vectors of knowledge',
      clock: tools.clock,
      rows: new DueRows<DocumentRow>(tools.sql, { ...table, columns: documentColumns, leaseMs }),
      attend: (row) => this.#attend(row),
      atOnce,
    });
  }

  async #attend(row: DocumentRow): Promise<void> {
    const { sql, clock, embeddings, log } = this.#tools;
    const model = await embeddings.modelOf(row.organization_id);
    if (model === undefined || row.model === model) return this.#due(row, null, 0);
    try {
      const isWhole = await this.#makeSome(row, model);
      if (isWhole) return await completeDocument(sql, row, model);
      await this.#due(row, clock.now(), 0);
      this.job.wake();
    } catch (error) {
      const attempts = row.attempts + 1;
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20));
      await this.#due(row, clock.now() + pause, attempts);
      log.warn('Vectors of knowledge not made', { documentId: row.id, model, attempts, reason: String(error) });
    }
  }

  /** @returns whether no chunk lacks a vector */
  async #makeSome(row: DocumentRow, model: string): Promise<boolean> {
    const { sql, embeddings } = this.#tools;
    const chunks = await sql.query<{ ordinal: number; content: string }>(
      `SELECT c.ordinal, c.content FROM knowledge_chunks c
        WHERE c.document_id = $1 AND NOT EXISTS (
                SELECT 1 FROM knowledge_vectors v WHERE v.document_id = $1 AND v.model = $2 AND v.ordinal = c.ordinal)
        ORDER BY c.ordinal LIMIT ${together}`,
      [row.id, model],
    );
    if (chunks.length === 0) return true;
    const contents = chunks.map(({ content }) => content);
    const vectors = await embeddings.embed(row.organization_id, contents, model);
    if (vectors.length !== chunks.length) throw new Error('The provider answered another number of vectors.');
    const embedded = chunks.map(({ ordinal }, place) => ({ ordinal, vector: unitOf(vectors[place] ?? []) }));
    const isThere = await keepVectors(sql, row, model, embedded);
    return !isThere || chunks.length < together;
  }

  async #due({ id }: DocumentRow, at: number | null, attempts: number): Promise<void> {
    await this.#tools.sql.query('UPDATE knowledge_documents SET due_at = $2, attempts = $3 WHERE id = $1', [
      id,
      at === null ? null : new Date(at),
      attempts,
    ]);
  }
}

/**
 * Has vectors made anew of what an organization has by another model than that of now.
 *
 * @param atOnce also of what failed, and waits to be tried again
 * @returns whether there is something to be done
 */
export async function renewModel(
  { sql, clock, embeddings }: KnowledgeTools,
  organizationId: string,
  atOnce = false,
): Promise<boolean> {
  const model = await embeddings.modelOf(organizationId);
  if (model === undefined) return false;
  const renewed = await sql.query(
    `UPDATE knowledge_documents SET due_at = $3, attempts = 0
      WHERE organization_id = $1 AND model IS DISTINCT FROM $2 AND (due_at IS NULL OR $4) RETURNING 1`,
    [organizationId, model, new Date(clock.now()), atOnce],
  );
  return renewed.length > 0;
}

/** Finds changes that nobody was told of: of the installation's settings, and of processes that died meanwhile. */
export const renewing = (tools: KnowledgeTools, wake: () => void): PeriodicJob =>
  every(
    '10m',
    'models of knowledge',
    async (signal) => {
      const organizations = await tools.sql.query<{ organization_id: string }>(
        'SELECT DISTINCT organization_id FROM knowledge_documents',
      );
      for (const { organization_id } of organizations) {
        if (signal.aborted) return;
        if (await renewModel(tools, organization_id)) wake();
      }
    },
    { alone: true },
  );
