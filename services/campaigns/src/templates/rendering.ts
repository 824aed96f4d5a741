import type { AnswerOf, PreviewTemplate, RenderTemplate } from '@messaging-gateway/contracts';
import { fill, valuesFrom } from '@messaging-gateway/placeholders';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { contentOf, findTemplate, templateOf } from './finding.ts';
import { noSuchTemplate, type Content } from './template.ts';
import type { TemplateTools } from './tools.ts';

export async function previewTemplate({
  params,
  body,
  caller,
  context,
}: InputOf<typeof PreviewTemplate>): Promise<{ rendered: Content; missing: readonly string[] }> {
  const row = await findTemplate(context.em(), params.id, caller);
  // The body may be left out.
  const variables = body?.variables ?? {};
  const { filled: rendered, missing } = fill(contentOf(row), valuesFrom(variables));
  return { rendered, missing };
}

/** For whoever sends it. @throws Refused NOT_FOUND when the profile may not use it */
export async function renderTemplate(
  { em }: Pick<TemplateTools, 'em'>,
  { organizationId, templateId, profileId, variables }: Static<(typeof RenderTemplate)['body']>,
): Promise<AnswerOf<typeof RenderTemplate>> {
  const row = await templateOf(em(), templateId, organizationId);
  if (typeof row.profileId === 'string' && row.profileId !== profileId) throw noSuchTemplate();
  const { filled, missing } = fill(contentOf(row), valuesFrom(variables));
  return { messageType: row.messageType, content: { ...filled }, missing: [...missing] };
}
