import { Type } from 'typebox';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../../shapes.ts';

/** Text search configurations that PostgreSQL 15 brings, and later ones too. */
const languages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const;

/** By which words of a document are found. */
const KnowledgeLanguage = oneOf(languages, {
  title: 'KnowledgeLanguage',
  description: "The text's language: words are found in all their forms. `simple`, the default: as they are written",
});

const knowledgeKinds = ['text', 'markdown', 'html', 'csv', 'pdf', 'docx'] as const;

const KnowledgeStatus = oneOf(['indexing', 'ready', 'failed'], {
  title: 'KnowledgeStatus',
  description:
    '`ready`: found by words, and by meaning where there is a model for that; `indexing`: not yet by meaning; `failed`: the model was asked in vain, and is asked again',
});

export const KnowledgeName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  description: 'One line, for people; need not be the only one of this name',
});

export const ingestFields = {
  name: Type.Optional(KnowledgeName),
  language: Type.Optional(KnowledgeLanguage),
};

const ChunkCount = { ...Count, description: 'Pieces that it is found by' };

export const KnowledgeDocument = closed(
  {
    id: Id,
    profileId: Id,
    name: Type.String(),
    type: oneOf(knowledgeKinds, { title: 'KnowledgeType' }),
    url: nullable(Type.String({ description: 'Where it was fetched; null: it was given' })),
    language: KnowledgeLanguage,
    chunkCount: ChunkCount,
    status: KnowledgeStatus,
    createdAt: Timestamp,
  },
  { title: 'KnowledgeDocument' },
);

/** Answer of what takes in a document. */
export const Ingested = closed(
  { id: Id, name: Type.String(), chunkCount: ChunkCount, status: KnowledgeStatus },
  { title: 'IngestedKnowledge' },
);

export const documentExample = {
  id: '0198c0de-0000-7000-8000-000000000004',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  name: 'Delivery',
  type: 'text',
  url: null,
  language: 'english',
  chunkCount: 1,
  status: 'ready',
  createdAt: '2026-01-01T00:00:00.000Z',
};

export const ingestedExample = { id: documentExample.id, name: 'Delivery', chunkCount: 1, status: 'ready' };

export const ofProfile = closed({ profileId: Id });
