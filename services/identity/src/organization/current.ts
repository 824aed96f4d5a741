import type { BodyOf, Organization, UpdateOrganization } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { aboutOrganization, actorOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { organizationStream } from './organization.ts';

/** The organization of the caller. */
export async function getOrganization(
  tools: IdentityTools,
  { caller: { organizationId } }: Pick<OperationInput<unknown>, 'caller'>,
): Promise<Static<typeof Organization>> {
  const [row] = await tools.sql.query<{ id: string; name: string; created_at: Date; updated_at: Date }>(
    'SELECT id, name, created_at, updated_at FROM identity.organizations WHERE id = $1',
    [organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'The organization does not exist any more.');
  const { id, name, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export async function updateOrganization(
  tools: IdentityTools,
  { body, caller, context }: OperationInput<BodyOf<typeof UpdateOrganization>>,
): Promise<Static<typeof Organization>> {
  const { organizationId } = caller;
  await tools.store.handle(
    organizationStream,
    organizationId,
    { type: 'Rename', name: body.name.trim() },
    { metadata: aboutOrganization(organizationId, context, actorOf(caller)), onAppended: context.appended },
  );
  return getOrganization(tools, { caller });
}
