import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { closed } from '../../../shapes.ts';
import { Ingested, KnowledgeName, ingestFields, ingestedExample, ofProfile } from './shapes.ts';

/** The most that a text may hold, bytes. */
export const knowledgeTextLimit = 1_048_576;

export const limitsOfKnowledge =
  'A profile has 1,000 documents and 50,000 chunks at most. The same name again is another document.';

/** Parts of the contracts of all ways to take in a document. */
export const ingest = {
  owner: 'automation',
  method: 'POST',
  access: 'automation:create',
  tag: 'AI',
  params: ofProfile,
  audit: { action: 'knowledge.create', namedByRequest: true, carriedOut: true },
  answers: { 201: { body: Ingested, means: 'The document is kept, and found.', example: ingestedExample } },
} as const;

export const IngestKnowledgeText = operation({
  ...ingest,
  name: 'IngestKnowledgeText',
  path: '/ai/knowledge/:profileId/text',
  summary: 'Add a text to the knowledge',
  means: `A text of 1 MiB at most that answers are looked up in, kept in chunks of some paragraphs. ${limitsOfKnowledge}`,
  body: closed({ ...ingestFields, name: KnowledgeName, content: Type.String({ minLength: 1 }) }),
  bodyLimit: 'media',
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'QUOTA_REACHED'],
  example: { name: 'Delivery', content: 'We deliver within two days.', language: 'english' },
});
