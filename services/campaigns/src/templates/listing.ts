import type { Caller, GetTemplate, ListTemplates, Page } from '@messaging-gateway/contracts';
import {
  allOf,
  assertProfileAllowed,
  holding,
  readPage,
  whereGiven,
  type Condition,
  type InputOf,
  type SortKey,
} from '@messaging-gateway/service';
import { findTemplate, selectTemplates, shownTemplate, type ShownTemplate, type TemplateRow } from './finding.ts';
import type { TemplateTools } from './tools.ts';

export const getTemplate = async (
  { sql }: TemplateTools,
  { params, caller }: InputOf<typeof GetTemplate>,
): Promise<ShownTemplate> => shownTemplate(await findTemplate(sql, params.id, caller));

const whenMade: readonly SortKey<TemplateRow>[] = [
  { column: 't.created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 't.id', kind: 'id', of: (row) => row.id },
];

/** A page of templates, the newest first. */
export async function listTemplates(
  { sql }: TemplateTools,
  { query, caller }: InputOf<typeof ListTemplates>,
): Promise<Page<ShownTemplate>> {
  const { profileId, category, messageType, search } = query;
  const where = allOf([
    ['t.organization_id = $1', caller.organizationId],
    ['NOT t.deleted'],
    seen(caller, profileId),
    whereGiven('t.category = $1', category),
    whereGiven('t.message_type = $1', messageType),
    whereGiven('t.name ILIKE $1', search, holding),
  ]);
  const [page, [counted]] = await Promise.all([
    readPage(sql, { select: selectTemplates, where, order: whenMade, descending: true, query }),
    sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM templates t WHERE ${where.text}`, where.values),
  ]);
  return { ...page, items: page.items.map(shownTemplate), total: counted?.total ?? 0 };
}

/** Those of a profile, or all that the caller may see: what belongs to no profile too. @throws Refused FORBIDDEN */
function seen(caller: Caller, profileId: string | undefined): Condition {
  if (profileId === undefined)
    return whereGiven('(t.profile_id IS NULL OR t.profile_id = ANY ($1::uuid[]))', caller.profileIds);
  assertProfileAllowed(caller, profileId);
  return ['t.profile_id = $1', profileId];
}
