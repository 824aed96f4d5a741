import type { KnowledgeDocument } from '@messaging-gateway/contracts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Static } from 'typebox';

type Shown = Static<typeof KnowledgeDocument>;

/** A document as it is shown. Its chunks and vectors are kept, and searched, by SQL. */
export const DocumentEntity = defineEntity({
  name: 'DocumentEntity',
  tableName: 'knowledge_documents',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid(),
    name: p.text(),
    type: p.text().$type<Shown['type']>(),
    url: p.text().nullable(),
    language: p.text().$type<Shown['language']>(),
    chunkCount: p.integer(),
    /** Name of the model that all chunks have vectors of. */
    model: p.text().nullable(),
    /** Tries at making vectors that have failed. */
    attempts: p.integer(),
    createdAt: p.datetime(3),
  },
});
export type DocumentRecord = InferEntity<typeof DocumentEntity>;
