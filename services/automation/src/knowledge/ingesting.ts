import { setImmediate as turn } from 'node:timers/promises';
import { DescribeProfile, knowledgeTextLimit, type IngestKnowledgeText } from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import { assertProfileAllowed, type InputOf } from '@messaging-gateway/service';
import { chunksOf } from './chunks.ts';
import { DocumentEntity } from './document-entity.ts';
import { Documents, noSuchDocument, statusOf, type ShownDocument } from './documents.ts';
import type { KnowledgeTools } from './tools.ts';

/** Chunks that are made before others have their turn. */
const atOnce = 100;

export type Ingested = Pick<ShownDocument, 'id' | 'name' | 'chunkCount' | 'status'>;
/** Input of every ingest. */
export type Asked = Pick<InputOf<typeof IngestKnowledgeText>, 'caller' | 'context' | 'params'>;

/** A document as it was read. */
export interface ReadDocument {
  readonly name: string;
  readonly type: ShownDocument['type'];
  readonly url?: string;
  readonly language?: ShownDocument['language'];
  readonly chunks: readonly string[];
}

export async function ingestText(tools: KnowledgeTools, input: InputOf<typeof IngestKnowledgeText>): Promise<Ingested> {
  const { name, content, language } = input.body;
  return once(tools, input, async () => {
    if (Buffer.byteLength(content) > knowledgeTextLimit)
      throw invalid([{ path: 'body.content', message: 'must have at most 1 MiB' }]);
    const chunks: string[] = [];
    for (const chunk of chunksOf(content)) if (chunks.push(chunk) % atOnce === 0) await turn();
    if (chunks.length === 0) throw invalid([{ path: 'body.content', message: 'must hold some text' }]);
    return { name, type: 'text' as const, chunks, ...(language && { language }) };
  });
}

/**
 * Takes in a document once, however often it is asked for.
 *
 * @throws Refused FORBIDDEN outside the profiles of an API key, NOT_FOUND, QUOTA_REACHED, and what reading throws
 */
export async function once(tools: KnowledgeTools, asked: Asked, read: () => Promise<ReadDocument>): Promise<Ingested> {
  const { caller, context, params } = asked;
  const { organizationId } = caller;
  const { profileId } = params;
  assertProfileAllowed(caller, profileId);
  await tools.ask(DescribeProfile, { organizationId, profileId });
  const documents = new Documents(tools.sql);
  const id = context.resourceId;
  if ((await context.em().findOne(DocumentEntity, { id })) === null) {
    const { name, type, url = null, language = 'simple', chunks } = await read();
    // Reading may take long: who was erased meanwhile has nothing any more.
    await tools.ask(DescribeProfile, { organizationId, profileId });
    const isDue = (await tools.embeddings.modelOf(organizationId)) !== undefined;
    const now = new Date(tools.clock.now());
    const due_at = isDue ? now : null;
    const whose = { organization_id: organizationId, profile_id: profileId };
    await documents.add({ id, ...whose, name, type, url, language, chunks, due_at, created_at: now });
  }
  return ingested(tools, id, asked);
}

async function ingested(
  { embeddings }: KnowledgeTools,
  id: string,
  { caller: { organizationId }, context }: Asked,
): Promise<Ingested> {
  const document = await context.em().findOne(DocumentEntity, { id });
  if (document === null) throw noSuchDocument();
  const { name, chunkCount } = document;
  return { id, name, chunkCount, status: statusOf(document, await embeddings.modelOf(organizationId)) };
}
