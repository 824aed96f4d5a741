import type { DeleteTemplate, UpdateTemplate } from '@messaging-gateway/contracts';
import type { InputOf } from '@messaging-gateway/service';
import { requirePlace } from './creating.ts';
import { contentOf, findTemplate, shownTemplate, type ShownTemplate } from './finding.ts';
import { handleTemplate, nameTaken, timeOf } from './handling.ts';
import { keptForTemplate } from './media.ts';
import { requireChange, scopeOf } from './scope.ts';
import { assertFits, type Content } from './template.ts';
import type { TemplateTools } from './tools.ts';

export async function updateTemplate(
  tools: TemplateTools,
  input: InputOf<typeof UpdateTemplate>,
): Promise<ShownTemplate> {
  const { params, body, caller, context } = input;
  const { id: templateId } = params;
  const by = scopeOf(caller);
  const before = await findTemplate(context.em(), templateId, caller);
  requireChange(by, before.profileId ?? null);
  const { profileId, messageType, content, ...words } = body;
  if (profileId !== undefined) await requirePlace(tools, caller, profileId);
  const type = messageType ?? before.messageType;
  let kept: Content | undefined;
  if (messageType !== undefined || content !== undefined) {
    const given = content ?? contentOf(before);
    assertFits(type, given);
    kept = await keptForTemplate(tools, type, given, { templateId, caller, requestId: context.resourceId });
  }
  const changes = {
    ...words,
    ...(profileId !== undefined && { profileId }),
    ...(messageType !== undefined && { messageType }),
    ...(content !== undefined && kept !== undefined && { content: kept }),
  };
  const command = { type: 'Change', templateId, by, changes, at: timeOf(tools) } as const;
  if (!(await handleTemplate(tools, command, input, body.name))) throw nameTaken();
  return shownTemplate(await findTemplate(context.em(), templateId, caller));
}

export async function deleteTemplate(tools: TemplateTools, input: InputOf<typeof DeleteTemplate>): Promise<void> {
  const { params, caller } = input;
  const command = { type: 'Delete', templateId: params.id, by: scopeOf(caller), at: timeOf(tools) } as const;
  await handleTemplate(tools, command, input);
}
