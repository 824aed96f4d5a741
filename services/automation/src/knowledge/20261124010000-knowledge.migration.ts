import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `knowledge_profiles` counts what a profile has, and remembers that it is gone. `model` of a document: by which all of its chunks have
 * vectors; `due_at`: when somebody has to make some. `bits` of a vector are the signs of its numbers beside those of the mean of its
 * space, the vectors of a profile by one model. Vectors lie outside of their rows, which are read one and all.
 */
export const knowledgeTables: SqlMigration = {
  name: '20261124010000-knowledge',
  sql: `
    CREATE TABLE {schema}.knowledge_profiles (
      profile_id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      documents integer NOT NULL,
      chunks integer NOT NULL,
      deleted boolean NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX knowledge_profiles_organization_id_index ON {schema}.knowledge_profiles (organization_id);
    CREATE TABLE {schema}.knowledge_documents (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      name text NOT NULL,
      type text NOT NULL,
      url text,
      language text NOT NULL,
      chunk_count integer NOT NULL,
      model text,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz,
      created_at timestamptz(3) NOT NULL
    );
    CREATE INDEX knowledge_documents_profile_id_created_at_id_index
        ON {schema}.knowledge_documents (profile_id, created_at, id);
    CREATE INDEX knowledge_documents_organization_id_index ON {schema}.knowledge_documents (organization_id);
    CREATE INDEX knowledge_documents_due_at_index ON {schema}.knowledge_documents (due_at) WHERE due_at IS NOT NULL;
    CREATE TABLE {schema}.knowledge_chunks (
      document_id uuid NOT NULL,
      ordinal integer NOT NULL,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      language text NOT NULL,
      content text NOT NULL,
      words tsvector NOT NULL,
      PRIMARY KEY (document_id, ordinal)
    );
    CREATE INDEX knowledge_chunks_words_index ON {schema}.knowledge_chunks USING gin ((ARRAY[profile_id]), words);
    CREATE INDEX knowledge_chunks_organization_id_index ON {schema}.knowledge_chunks (organization_id);
    CREATE TABLE {schema}.knowledge_spaces (
      profile_id uuid NOT NULL,
      model text NOT NULL,
      organization_id uuid NOT NULL,
      dimensions integer NOT NULL,
      vectors integer NOT NULL,
      mean bytea,
      mean_of integer NOT NULL,
      PRIMARY KEY (profile_id, model)
    );
    CREATE INDEX knowledge_spaces_organization_id_index ON {schema}.knowledge_spaces (organization_id);
    CREATE TABLE {schema}.knowledge_vectors (
      document_id uuid NOT NULL,
      model text NOT NULL,
      ordinal integer NOT NULL,
      organization_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      bits bit varying NOT NULL,
      vector bytea NOT NULL,
      PRIMARY KEY (document_id, model, ordinal)
    ) WITH (toast_tuple_target = 256, fillfactor = 80);
    ALTER TABLE {schema}.knowledge_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
    CREATE INDEX knowledge_vectors_profile_id_model_index ON {schema}.knowledge_vectors (profile_id, model);
    CREATE INDEX knowledge_vectors_organization_id_index ON {schema}.knowledge_vectors (organization_id);`,
};
