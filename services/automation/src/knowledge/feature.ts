import {
  DeleteKnowledge,
  IngestKnowledgeText,
  ListKnowledge,
  ProfileDeleted,
  SearchKnowledge,
} from '@messaging-gateway/contracts';
import { answer, feature, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { AutomationSettings } from '../config.ts';
import { knowledgeTables } from './20261124010000-knowledge.migration.ts';
import { Documents } from './documents.ts';
import { noEmbeddings, type Embeddings } from './embeddings.ts';
import { Indexing, renewing } from './indexing.ts';
import { ingestText } from './ingesting.ts';
import { deleteKnowledge, listKnowledge } from './listing.ts';
import { knowledgeHeld } from './personal-data.ts';
import { askKnowledge, searchKnowledge, type Hit } from './searching.ts';
import type { KnowledgeTools } from './tools.ts';

/** What other features ask of knowledge. */
export interface KnowledgeSearch {
  /** The best chunks for a question, at most `limit`; none for a profile that knows nothing. */
  readonly search: (organizationId: string, profileId: string, query: string, limit?: number) => Promise<Hit[]>;
}

/** @param embeddings by which chunks are found by meaning */
export const knowledgeBy = (embeddings: Embeddings) =>
  feature({
    name: 'knowledge',
    migrations: [knowledgeTables],
    connect: (given: ServiceTools<AutomationSettings>) => {
      const tools: KnowledgeTools = { ...given, embeddings };
      const indexing = new Indexing(tools);
      const { job } = indexing;
      const api: KnowledgeSearch = {
        search: (organizationId, profileId, query, limit) =>
          searchKnowledge(tools, { organizationId, profileId }, query, limit),
      };
      return {
        api,
        rows: [
          operation(IngestKnowledgeText, (input) => ingestText(tools, input).finally(job.wake)),
          operation(ListKnowledge, (input) => listKnowledge(tools, input)),
          operation(DeleteKnowledge, (input) => deleteKnowledge(tools, input).then(() => answer(204))),
          operation(SearchKnowledge, (input) => askKnowledge(tools, input)),
        ],
        hears: [
          reaction(ProfileDeleted, ({ profileId }, { organizationId }) =>
            new Documents(tools.sql).deleteOf(profileId, organizationId),
          ),
        ],
        jobs: [job, renewing(tools, job.wake)],
        personalData: knowledgeHeld,
      };
    },
  });

/** Texts that answers are looked up in, by profile. */
export const knowledge = knowledgeBy(noEmbeddings);
