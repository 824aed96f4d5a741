import type { DuplicateTemplate } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf } from '@messaging-gateway/service';
import { assertRoom, requirePlace } from './creating.ts';
import { contentOf, findTemplate, shownTemplate, templateOf, type ShownTemplate } from './finding.ts';
import { handleTemplate, timeOf } from './handling.ts';
import { keptForTemplate } from './media.ts';
import { scopeOf } from './scope.ts';
import type { TemplateTools } from './tools.ts';

/** UTF-16 units. */
const longestName = 200;
/** Tries to find a free name, as others may take the next one at the same moment; each try looks for the next free one. */
const tries = 20;

export async function duplicateTemplate(
  tools: TemplateTools,
  input: InputOf<typeof DuplicateTemplate>,
): Promise<ShownTemplate> {
  const { params, caller, context } = input;
  const templateId = context.resourceId;
  if (context.repeated) {
    const made = await templateOf(context.em(), templateId, caller.organizationId).catch(() => undefined);
    if (made !== undefined) return shownTemplate(made);
  }
  const row = await findTemplate(context.em(), params.id, caller);
  const { profileId = null, messageType, category } = row;
  await requirePlace(tools, caller, profileId);
  await assertRoom(context.em(), templateId);
  const keeping = { templateId, caller, requestId: templateId };
  const content = await keptForTemplate(tools, messageType, contentOf(row), keeping);
  const same = { profileId, category, messageType, content };
  for (let tried = 0; tried < tries; tried += 1) {
    const name = await freeName(tools, caller.organizationId, row.name);
    const document = { ...same, name };
    const command = { type: 'Create', templateId, by: scopeOf(caller), document, at: timeOf(tools) } as const;
    if (await handleTemplate(tools, command, input, name))
      return shownTemplate(await findTemplate(context.em(), templateId, caller));
  }
  throw new Refused('CONFLICT', 'Others duplicate the template at the same moment: try again.');
}

/** "… (copy)", "… (copy 2)" and so on: the first that nobody has. A long name is cut. */
async function freeName({ sql }: TemplateTools, organizationId: string, name: string): Promise<string> {
  for (let first = 1; ; first += together) {
    const names = Array.from({ length: together }, (_, index) => copyName(name, first + index));
    const rows = await sql.query<{ name: string }>(
      'SELECT name FROM template_names WHERE organization_id = $1 AND name = ANY ($2::text[])',
      [organizationId, names],
    );
    const taken = new Set(rows.map((row) => row.name));
    const free = names.find((one) => !taken.has(one));
    if (free !== undefined) return free;
  }
}

/** Names that are looked at in one go. */
const together = 50;

function copyName(name: string, times: number): string {
  const ending = times === 1 ? ' (copy)' : ` (copy ${times})`;
  return name.slice(0, longestName - ending.length) + ending;
}
