import type { Caller, GetTemplate, ListTemplates, Page } from '@messaging-gateway/contracts';
import { assertProfileAllowed, holding, type InputOf } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import { findTemplate, shownTemplate, type ShownTemplate } from './finding.ts';
import { TemplateEntity, type TemplateRecord } from './templates-view.ts';

export const getTemplate = async ({ params, caller, context }: InputOf<typeof GetTemplate>): Promise<ShownTemplate> =>
  shownTemplate(await findTemplate(context.em(), params.id, caller));

const whenMade: readonly EntityOrder<TemplateRecord>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

/** A page of templates, the newest first. @throws Refused FORBIDDEN */
export async function listTemplates({
  query,
  caller,
  context,
}: InputOf<typeof ListTemplates>): Promise<Page<ShownTemplate>> {
  const { profileId, category, messageType, search } = query;
  const where = {
    deleted: false,
    ...seen(caller, profileId),
    ...(category !== undefined && { category }),
    ...(messageType !== undefined && { messageType }),
    ...(search !== undefined && { name: { $ilike: holding(search) } }),
  };
  const em = context.em();
  const page = await entityPage(em, TemplateEntity, { where, order: whenMade, descending: true, query });
  return { ...page, items: page.items.map(shownTemplate), total: await em.count(TemplateEntity, where) };
}

/** Templates of a profile, or all that the caller may see: what belongs to no profile too. @throws Refused FORBIDDEN */
function seen(caller: Caller, profileId: string | undefined) {
  if (profileId !== undefined) {
    assertProfileAllowed(caller, profileId);
    return { profileId };
  }
  const { profileIds } = caller;
  return profileIds === undefined ? {} : { $or: [{ profileId: null }, { profileId: { $in: [...profileIds] } }] };
}
