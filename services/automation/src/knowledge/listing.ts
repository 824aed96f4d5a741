import { DescribeProfile, type DeleteKnowledge, type ListKnowledge, type Page } from '@messaging-gateway/contracts';
import { allOf, assertProfileAllowed, readPage, type InputOf, type SortKey } from '@messaging-gateway/service';
import {
  documentColumns,
  Documents,
  noSuchDocument,
  shownDocument,
  type DocumentRow,
  type ShownDocument,
} from './documents.ts';
import type { KnowledgeTools } from './tools.ts';

const whenMade: readonly SortKey<DocumentRow>[] = [
  { column: 'created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 'id', kind: 'id', of: (row) => row.id },
];

/** A page of the documents of a profile, the newest first. @throws Refused FORBIDDEN, NOT_FOUND */
export async function listKnowledge(
  { sql, ask, embeddings }: KnowledgeTools,
  { params, query, caller }: InputOf<typeof ListKnowledge>,
): Promise<Page<ShownDocument>> {
  const { organizationId } = caller;
  const profileId = params.id;
  assertProfileAllowed(caller, profileId);
  await ask(DescribeProfile, { organizationId, profileId });
  const where = allOf([
    ['profile_id = $1', profileId],
    ['organization_id = $1', organizationId],
  ]);
  const select = `SELECT ${documentColumns} FROM knowledge_documents`;
  const [model, page, [counted]] = await Promise.all([
    embeddings.modelOf(organizationId),
    readPage(sql, { select, where, order: whenMade, descending: true, query }),
    sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM knowledge_documents WHERE ${where.text}`,
      where.values,
    ),
  ]);
  return { ...page, items: page.items.map((row) => shownDocument(row, model)), total: counted?.total ?? 0 };
}

/** @throws Refused NOT_FOUND, FORBIDDEN outside the profiles of an API key */
export async function deleteKnowledge(
  { sql }: KnowledgeTools,
  { params, caller }: InputOf<typeof DeleteKnowledge>,
): Promise<void> {
  const documents = new Documents(sql);
  const found = await documents.find(params.id, caller.organizationId);
  if (found === undefined) throw noSuchDocument();
  assertProfileAllowed(caller, found.profile_id);
  if (!(await documents.delete(params.id, caller.organizationId))) throw noSuchDocument();
}
