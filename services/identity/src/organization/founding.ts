import { EnsureDefaultAccount, type DataOf, type OrganizationCreated } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { IdentityTools } from '../tools.ts';
import { userStream, type Registration } from '../user/user.ts';
import { organizationStream } from './organization.ts';
import { workspaceStream } from '../workspace/workspace.ts';

type Founder = Pick<Registration, 'userId' | 'organizationId' | 'workspaceId' | 'organizationName'>;

const accountTimeoutMs = 2000;

/** Makes organization and workspace of a registered user. Doing it again changes nothing. */
export async function foundOrganization(
  tools: IdentityTools,
  founder: Founder,
  metadata: EventMetadata,
): Promise<void> {
  const { organizationId, workspaceId, userId: ownerId, organizationName: name } = founder;
  const options = { metadata: { ...metadata, subject: `organization:${organizationId}` } };
  await Promise.all([
    tools.store.handle(organizationStream, organizationId, { type: 'Found', organizationId, ownerId, name }, options),
    tools.store.handle(
      workspaceStream,
      workspaceId,
      { type: 'Create', workspaceId, organizationId, name: 'Default' },
      options,
    ),
  ]);
}

/** Asks sessions for the account "Default" now; when sessions is away, it makes it at first use. */
export async function askForDefaultAccount(tools: IdentityTools, founder: Founder, requestId: string): Promise<void> {
  const { organizationId, workspaceId } = founder;
  try {
    await tools.ask(EnsureDefaultAccount, { organizationId, workspaceId }, { requestId, timeoutMs: accountTimeoutMs });
  } catch (error) {
    tools.log.warn('The default account is left to be made at first use', {
      organizationId,
      reason: (error as Error).message,
    });
  }
}

/** The repair of a registration that a crash cut off after its first event. */
export async function completeFounding(
  tools: IdentityTools,
  { ownerId, organizationId }: DataOf<typeof OrganizationCreated>,
  eventId: string,
): Promise<void> {
  const { state } = await tools.store.load(userStream, ownerId);
  if (state.status !== 'registered') return;
  const metadata = {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: 'service:identity',
    cause: eventId,
  };
  await foundOrganization(tools, state, metadata);
}
