import type { PersonalData } from '@messaging-gateway/service';

const documents = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'name', name, 'type', type, 'url', url,
         'language', language, 'chunkCount', chunk_count, 'createdAt', created_at) AS item
    FROM knowledge_documents WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`;

const chunks = `
  SELECT document_id || ' ' || lpad(ordinal::text, 6, '0') AS key,
         jsonb_build_object('documentId', document_id, 'ordinal', ordinal, 'content', content) AS item
    FROM knowledge_chunks WHERE organization_id = $1 AND $2::uuid IS NOT NULL
     AND document_id || ' ' || lpad(ordinal::text, 6, '0') > $3 ORDER BY key LIMIT $4`;

/** Personal data of knowledge. Documents go first: a process that writes for one of them has then ended, or finds it gone. */
export const knowledgeHeld: Partial<PersonalData> = {
  tables: ['knowledge_documents', 'knowledge_chunks', 'knowledge_vectors', 'knowledge_spaces', 'knowledge_profiles'],
  sections: [
    { name: 'knowledge', ofOrganization: true, sql: documents },
    { name: 'knowledgeChunks', ofOrganization: true, sql: chunks },
  ],
};
