import type { AnswerOf, PreviewTemplate, RenderTemplate } from '@messaging-gateway/contracts';
import { fill, valuesFrom } from '@messaging-gateway/placeholders';
import type { InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { contentOf, findTemplate, templateOf } from './finding.ts';
import { noSuchTemplate, type Content } from './template.ts';
import type { TemplateTools } from './tools.ts';

export async function previewTemplate(
  { sql }: TemplateTools,
  { params, body, caller }: InputOf<typeof PreviewTemplate>,
): Promise<{ rendered: Content; missing: readonly string[] }> {
  const row = await findTemplate(sql, params.id, caller);
  // The body may be left out.
  const variables = body?.variables ?? {};
  const { filled: rendered, missing } = fill(contentOf(row), valuesFrom(variables));
  return { rendered, missing };
}

/** For whoever sends it. @throws Refused NOT_FOUND when the profile may not use it */
export async function renderTemplate(
  { sql }: Pick<TemplateTools, 'sql'>,
  { organizationId, templateId, profileId, variables }: Static<(typeof RenderTemplate)['body']>,
): Promise<AnswerOf<typeof RenderTemplate>> {
  const row = await templateOf(sql, templateId, organizationId);
  if (row.profile_id !== null && row.profile_id !== profileId) throw noSuchTemplate();
  const { filled, missing } = fill(contentOf(row), valuesFrom(variables));
  return { messageType: row.message_type, content: { ...filled }, missing: [...missing] };
}
