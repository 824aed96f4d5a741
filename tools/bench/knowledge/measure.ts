import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@messaging-gateway/postgres';
import { silentLogger } from '@messaging-gateway/runtime';
import { openDatabase, type Sql } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { knowledgeTables } from '../../../services/automation/src/knowledge/20261124010000-knowledge.migration.ts';
import { Documents } from '../../../services/automation/src/knowledge/documents.ts';
import { searchMeaning } from '../../../services/automation/src/knowledge/meaning-search.ts';
import { searchKnowledge } from '../../../services/automation/src/knowledge/searching.ts';
import { completeDocument, keepVectors } from '../../../services/automation/src/knowledge/spaces.ts';
import { alikeness } from '../../../services/automation/src/knowledge/vectors.ts';
import { percentile } from '../percentile.ts';
import { corpusOf, type Question } from './corpus.ts';

/** `least`: of the fastest, which other work on the machine has slowed the least. */
interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly least: number;
}

/** Times of searches in knowledge: milliseconds, without those that a provider takes for the vector of a question. */
interface KnowledgeFigures {
  readonly chunks: number;
  readonly dimensions: number;
  readonly words: Times;
  readonly hybrid: Times;
  /** How many of the ten nearest chunks are among the first ten that were found by meaning. */
  readonly recall: number;
}

const model = 'bench';
const chunksOfDocument = 100;
const nearest = 10;

/** Knowledge of one profile in a PostgreSQL of its own. */
export async function measureKnowledge({
  chunks = 10_000,
  dimensions = 768,
  questions = 100,
} = {}): Promise<KnowledgeFigures> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-knowledge-'));
  const server = await startPostgres({ directory, password: 'bench' });
  const database = await openDatabase({
    url: server.url,
    schema: 'bench',
    entities: [],
    migrations: [knowledgeTables],
    log: silentLogger,
  });
  try {
    return await measure(database.sql, { chunks, dimensions, questions });
  } finally {
    await database.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  sql: Sql,
  {
    chunks,
    dimensions,
    questions,
  }: { readonly chunks: number; readonly dimensions: number; readonly questions: number },
): Promise<KnowledgeFigures> {
  const corpus = corpusOf(chunks, { dimensions, topics: 200, questions });
  const scope = { organizationId: v7(), profileId: v7() };
  const places = await fill(sql, scope, corpus);
  await sql.query('ANALYZE');
  const asking = (question: Question | undefined) => ({
    sql,
    log: silentLogger,
    embeddings: {
      modelOf: async () => (question === undefined ? undefined : model),
      embed: async () => [[...(question?.vector ?? [])]],
    },
  });
  const timed = async (byMeaning: boolean): Promise<number[]> => {
    const times: number[] = [];
    for (const question of corpus.questions) {
      const begun = performance.now();
      await searchKnowledge(asking(byMeaning ? question : undefined) as never, scope, question.text, 5);
      times.push(performance.now() - begun);
    }
    return times;
  };
  let right = 0;
  for (const question of corpus.questions) {
    const exact = new Set(
      corpus.vectors
        .map((vector, at) => ({ at, near: alikeness(vector, question.vector) }))
        .toSorted((one, other) => other.near - one.near)
        .slice(0, nearest)
        .map(({ at }) => places[at]),
    );
    const found = (await searchMeaning(asking(question), scope, question.text, nearest)) ?? [];
    right += found.filter(({ document_id, ordinal }) => exact.has(`${document_id} ${ordinal}`)).length;
  }
  // Once before it counts: the tables are in memory.
  await timed(true);
  const [words, hybrid] = [await timed(false), await timed(true)];
  const both = (times: readonly number[]): Times => ({
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    least: Math.min(...times),
  });
  return {
    chunks,
    dimensions,
    words: both(words),
    hybrid: both(hybrid),
    recall: right / (nearest * corpus.questions.length),
  };
}

/** @returns where each text stands */
async function fill(
  sql: Sql,
  {
    organizationId: organization_id,
    profileId: profile_id,
  }: { readonly organizationId: string; readonly profileId: string },
  { texts, vectors }: Pick<ReturnType<typeof corpusOf>, 'texts' | 'vectors'>,
): Promise<string[]> {
  const documents = new Documents(sql);
  const places: string[] = [];
  for (let from = 0; from < texts.length; from += chunksOfDocument) {
    const whose = { id: v7(), organization_id, profile_id };
    const chunks = texts.slice(from, from + chunksOfDocument);
    const about = { name: 'bench', type: 'text', url: null, language: 'simple', created_at: new Date() } as const;
    await documents.add({ ...whose, ...about, chunks, due_at: null });
    const embedded = chunks.flatMap((_, place) => {
      const vector = vectors[from + place];
      return vector === undefined ? [] : [{ ordinal: place + 1, vector }];
    });
    await keepVectors(sql, whose, model, embedded);
    await completeDocument(sql, whose, model);
    places.push(...chunks.map((_, place) => `${whose.id} ${place + 1}`));
  }
  return places;
}
