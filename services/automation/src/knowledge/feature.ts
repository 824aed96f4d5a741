import {
  DeleteKnowledge,
  IngestKnowledgeFile,
  IngestKnowledgeText,
  IngestKnowledgeUrl,
  ListKnowledge,
  ProfileDeleted,
  SearchKnowledge,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { answer, auditedRequests, feature, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { AutomationSettings } from '../config.ts';
import { provider } from '../provider/feature.ts';
import { knowledgeTables } from './20261124010000-knowledge.migration.ts';
import { DocumentEntity } from './document-entity.ts';
import { Documents } from './documents.ts';
import type { Embeddings } from './embeddings.ts';
import { Indexing, renewing, renewModel } from './indexing.ts';
import { ingestFile, ingestUrl } from './ingesting-files.ts';
import { ingestText } from './ingesting.ts';
import { deleteKnowledge, listKnowledge } from './listing.ts';
import { knowledgeHeld } from './personal-data.ts';
import { DocumentReader } from './reading/document-reader.ts';
import { askKnowledge, searchKnowledge, type Hit } from './searching.ts';

/** Search in knowledge, for other features. */
interface KnowledgeSearch {
  /** The best chunks for a question, at most `limit`; none for a profile that knows nothing. */
  readonly search: (organizationId: string, profileId: string, query: string, limit?: number) => Promise<Hit[]>;
}

/** @param embeddings by which chunks are found by meaning */
export function connectKnowledge(
  given: ServiceTools<AutomationSettings>,
  embeddings: Embeddings,
  reader = new DocumentReader(),
) {
  const tools = { ...given, embeddings, reader };
  const indexing = new Indexing(tools);
  const { job } = indexing;
  const api: KnowledgeSearch = {
    search: (organizationId, profileId, query, limit) =>
      searchKnowledge(tools, { organizationId, profileId }, query, limit),
  };
  embeddings.whenChanged?.(async (organizationId) => {
    if (await renewModel(tools, organizationId, true)) job.wake();
  });
  const stopping = new Refused('SERVICE_UNAVAILABLE', 'The service is stopping.');
  return {
    api,
    rows: [
      operation(IngestKnowledgeText, (input) => ingestText(tools, input).finally(job.wake)),
      operation(IngestKnowledgeFile, (input) => ingestFile(tools, input).finally(job.wake)),
      operation(IngestKnowledgeUrl, (input) => ingestUrl(tools, input).finally(job.wake)),
      operation(ListKnowledge, (input) => listKnowledge(tools, input)),
      operation(DeleteKnowledge, (input) => deleteKnowledge(tools, input).then(() => answer(204))),
      operation(SearchKnowledge, (input) => askKnowledge(tools, input)),
    ],
    hears: [
      reaction(ProfileDeleted, ({ profileId }, { organizationId }) =>
        new Documents(tools.sql).deleteOf(profileId, organizationId),
      ),
    ],
    running: [{ start: async () => undefined, stop: async () => reader.stop(stopping) }],
    jobs: [job, renewing(tools, job.wake)],
    personalData: knowledgeHeld,
  };
}

/** Texts that answers are looked up in, by profile. */
export const knowledge = feature({
  name: 'knowledge',
  needs: { provider },
  streams: [auditedRequests],
  migrations: [knowledgeTables],
  entities: [DocumentEntity],
  connect: (given: ServiceTools<AutomationSettings>, { provider: { embeddings, whenChanged } }) =>
    connectKnowledge(given, { ...embeddings, whenChanged }),
});
