import { DescribeProfile, type DeleteKnowledge, type ListKnowledge, type Page } from '@messaging-gateway/contracts';
import { assertProfileAllowed, type InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import { DocumentEntity, type DocumentRecord } from './document-entity.ts';
import { Documents, noSuchDocument, shownDocument, type ShownDocument } from './documents.ts';
import type { KnowledgeTools } from './tools.ts';

const whenMade: readonly EntityOrder<DocumentRecord>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

/** A page of the documents of a profile, the newest first. @throws Refused FORBIDDEN, NOT_FOUND */
export async function listKnowledge(
  { ask, embeddings }: KnowledgeTools,
  { params, query, caller, context }: InputOf<typeof ListKnowledge>,
): Promise<Page<ShownDocument>> {
  const { organizationId } = caller;
  const where = { profileId: params.id };
  assertProfileAllowed(caller, where.profileId);
  await ask(DescribeProfile, { organizationId, ...where });
  const em = context.em();
  const [model, page] = await Promise.all([
    embeddings.modelOf(organizationId),
    entityPage(em, DocumentEntity, { where, order: whenMade, descending: true, query }),
  ]);
  const items = page.items.map((document) => shownDocument(document, model));
  return { ...page, items, total: await em.count(DocumentEntity, where) };
}

/** @throws Refused NOT_FOUND, FORBIDDEN outside the profiles of an API key */
export async function deleteKnowledge(
  { sql }: KnowledgeTools,
  { params: { id }, caller, context }: InputOf<typeof DeleteKnowledge>,
): Promise<void> {
  const document = await context.em().findOne(DocumentEntity, { id });
  if (document === null) throw noSuchDocument();
  assertProfileAllowed(caller, document.profileId);
  if (!(await new Documents(sql).delete(id, caller.organizationId))) throw noSuchDocument();
}
