import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed, page, pageQuery } from '../../../shapes.ts';
import { KnowledgeDocument, documentExample, ofProfile } from './shapes.ts';

const common = { owner: 'automation', tag: 'AI', errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] } as const;

export const ListKnowledge = operation({
  ...common,
  name: 'ListKnowledge',
  method: 'GET',
  path: '/ai/knowledge/:id',
  access: 'automation:read',
  summary: 'List the knowledge of a profile',
  means: 'Its documents, the newest first.',
  params: closed({ id: { ...Id, description: 'The profile' } }),
  query: closed(pageQuery),
  answers: {
    200: {
      body: page(KnowledgeDocument),
      means: 'A page of documents.',
      example: { items: [documentExample], nextCursor: null, total: 1 },
    },
  },
});

export const DeleteKnowledge = operation({
  ...common,
  name: 'DeleteKnowledge',
  method: 'DELETE',
  path: '/ai/knowledge/:id',
  access: 'automation:delete',
  audit: { action: 'knowledge.delete', carriedOut: true },
  summary: 'Delete a document',
  means: 'It is found no more.',
  params: closed({ id: { ...Id, description: 'The document' } }),
  answers: { 204: { means: 'The document is gone.' } },
});

/** A piece of a document that may hold the answer. */
export const KnowledgeHit = closed(
  {
    documentId: { ...Id, description: 'The document that it is of' },
    documentName: Type.String({ description: 'Its name' }),
    content: Type.String({ description: 'The text of the chunk' }),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'Comparable within one answer only' }),
  },
  { title: 'KnowledgeHit' },
);

export const SearchKnowledge = operation({
  ...common,
  name: 'SearchKnowledge',
  method: 'POST',
  path: '/ai/knowledge/:profileId/search',
  access: 'automation:read',
  audit: false,
  summary: 'Search the knowledge of a profile',
  means:
    'Chunks that hold any of the words, by how well they fit; with a model for embeddings those that mean the same too, joined by ' +
    'reciprocal rank. While a new model is at work the one before it is asked.',
  params: ofProfile,
  body: closed({
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'A question, or words' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
  }),
  answers: {
    200: {
      body: closed({ items: Type.Array(KnowledgeHit) }, { title: 'KnowledgeHits' }),
      means: 'The best first.',
      example: {
        items: [
          {
            documentId: documentExample.id,
            documentName: 'Delivery',
            content: 'We deliver within two days.',
            score: 0.5,
          },
        ],
      },
    },
  },
  example: { query: 'How long does delivery take?', limit: 5 },
});
