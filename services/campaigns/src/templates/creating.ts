import { DescribeProfile, type Caller, type CreateTemplate } from '@messaging-gateway/contracts';
import { quotaReached } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findTemplate, shownTemplate, type ShownTemplate } from './finding.ts';
import { handleTemplate, nameTaken, timeOf } from './handling.ts';
import { keptForTemplate } from './media.ts';
import { requireChange, scopeOf } from './scope.ts';
import { assertFits } from './template.ts';
import { TemplateEntity } from './templates-view.ts';
import type { TemplateTools } from './tools.ts';

/** Templates of an organization, at most. Requests at the same moment may exceed it by a few. */
const mostTemplates = 10_000;

export async function createTemplate(
  tools: TemplateTools,
  input: InputOf<typeof CreateTemplate>,
): Promise<ShownTemplate> {
  const { body, caller, context } = input;
  const { profileId = null, name, category, messageType } = body;
  const templateId = context.resourceId;
  await requirePlace(tools, caller, profileId);
  assertFits(messageType, body.content);
  await assertRoom(context.em(), templateId);
  const keeping = { templateId, caller, requestId: templateId };
  const content = await keptForTemplate(tools, messageType, body.content, keeping);
  const document = { profileId, name, category, messageType, content };
  const command = { type: 'Create', templateId, by: scopeOf(caller), document, at: timeOf(tools) } as const;
  if (!(await handleTemplate(tools, command, input, name))) throw nameTaken();
  return shownTemplate(await findTemplate(context.em(), templateId, caller));
}

/** @throws Refused NOT_FOUND for a profile that the organization does not have, FORBIDDEN outside those of an API key */
export async function requirePlace(
  { ask }: Pick<TemplateTools, 'ask'>,
  caller: Caller,
  profileId: string | null,
): Promise<void> {
  requireChange(scopeOf(caller), profileId);
  if (profileId !== null) await ask(DescribeProfile, { organizationId: caller.organizationId, profileId });
}

/** @throws Refused QUOTA_REACHED */
export async function assertRoom(em: EntityManager, templateId: string): Promise<void> {
  const others = await em.count(TemplateEntity, { deleted: false, id: { $ne: templateId } });
  if (others >= mostTemplates) throw quotaReached('templates', mostTemplates);
}
