import type { Caller, Template } from '@messaging-gateway/contracts';
import { placeholdersOf } from '@messaging-gateway/placeholders';
import { ofOrganization } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { requireSight, scopeOf } from './scope.ts';
import { noSuchTemplate, type Content } from './template.ts';
import { TemplateEntity, type TemplateRecord } from './templates-view.ts';

export type ShownTemplate = Static<typeof Template>;

/** @throws Refused NOT_FOUND, also for another organization's; FORBIDDEN outside the profiles of an API key */
export async function findTemplate(em: EntityManager, id: string, caller: Caller): Promise<TemplateRecord> {
  const template = await templateOf(em, id, caller.organizationId);
  requireSight(scopeOf(caller), template.profileId ?? null);
  return template;
}

/** @throws Refused NOT_FOUND */
export async function templateOf(em: EntityManager, id: string, organizationId: string): Promise<TemplateRecord> {
  const template = await ofOrganization(em, organizationId).findOne(TemplateEntity, { id, deleted: false });
  if (template === null) throw noSuchTemplate();
  return template;
}

export const contentOf = ({ content }: TemplateRecord): Content => JSON.parse(content) as Content;

export function shownTemplate(template: TemplateRecord): ShownTemplate {
  const content = contentOf(template);
  return {
    id: template.id,
    profileId: template.profileId ?? null,
    name: template.name,
    category: template.category,
    messageType: template.messageType,
    content: { ...content },
    variables: [...new Set(placeholdersOf(content).map(({ name }) => name))],
    usageCount: template.uses,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
  };
}
