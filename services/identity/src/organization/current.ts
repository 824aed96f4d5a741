import type { Organization, UpdateOrganization } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { aboutOrganization } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { organizationStream } from './organization.ts';
import { OrganizationRow } from './organizations-view.ts';
import { describeOrganization, timezoneStream } from './timezone.ts';

/** The organization of the caller. */
export async function getOrganization(
  { sql }: Pick<IdentityTools, 'sql'>,
  { caller, context }: Pick<OperationInput<unknown>, 'caller' | 'context'>,
): Promise<Static<typeof Organization>> {
  const row = await context.em().findOne(OrganizationRow, { id: caller.organizationId });
  if (row === null) throw new Refused('NOT_FOUND', 'The organization does not exist any more.');
  const { timezone } = await describeOrganization(sql, { organizationId: row.id });
  const { id, name, createdAt, updatedAt } = row;
  return { id, name, timezone, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Changes what is given. */
export async function updateOrganization(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof UpdateOrganization>,
): Promise<Static<typeof Organization>> {
  const { organizationId } = caller;
  const how = {
    metadata: aboutOrganization(organizationId, context, actorOf(caller)),
    onAppended: context.appended,
  };
  const { name, timezone } = body;
  if (name !== undefined)
    await tools.store.handle(organizationStream, organizationId, { type: 'Rename', name: name.trim() }, how);
  if (timezone !== undefined)
    await tools.store.handle(timezoneStream, organizationId, { type: 'SetTimezone', organizationId, timezone }, how);
  return getOrganization(tools, { caller, context });
}
