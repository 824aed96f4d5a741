import {
  type UnassignUser,
  type ParamsOf,
  markApiKeyRevoked,
  markSessionRevoked,
  type Caller,
  type Permission,
} from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type RequestContext } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { apiKeyStream } from '../api-key/api-key.ts';
import { ApiKeyRow } from '../api-key/api-keys-view.ts';
import { aboutOrganization, clientOf, type Client } from '../client.ts';
import { changing, revoking } from '../credential/revoking.ts';
import { organizationStream } from '../organization/organization.ts';
import { sessionStream } from '../session/session.ts';
import { SessionRow } from '../session/sessions-view.ts';
import type { IdentityTools } from '../tools.ts';
import { userStream } from '../user/user.ts';

export interface FormerMember {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Removes a member, and all that belongs to the user alone: sessions, API keys, the address.
 *
 * @throws Refused NOT_FOUND, FORBIDDEN, or CONFLICT for the last Owner
 */
export async function removeMember(
  tools: IdentityTools,
  id: string,
  { caller, context }: { caller: Caller; context: RequestContext },
): Promise<void> {
  const { organizationId } = caller;
  const userId = id.toLowerCase();
  const metadata = aboutOrganization(organizationId, context, actorOf(caller));
  const granting = caller.permissions as readonly Permission[];
  const command = { type: 'RemoveMember', userId, by: caller.userId, granting } as const;
  await changing(tools, organizationId, () =>
    tools.store.handle(organizationStream, organizationId, command, { metadata, onAppended: context.appended }),
  );
  await endMembership(tools, { userId, organizationId }, metadata, context);
}

/** Removes a member through the route that names the organization too. */
export async function unassignUser(
  tools: IdentityTools,
  { orgId, userId }: ParamsOf<typeof UnassignUser>,
  input: { caller: Caller; context: RequestContext },
): Promise<void> {
  if (orgId.toLowerCase() !== input.caller.organizationId)
    throw new Refused('NOT_FOUND', 'There is no such organization.');
  await removeMember(tools, userId, input);
}

/** Ends what a member who was removed leaves behind. Doing it again changes nothing, so a crash is made up for. */
export async function endMembership(
  tools: IdentityTools,
  { userId, organizationId }: FormerMember,
  about: EventMetadata,
  context?: RequestContext,
): Promise<void> {
  const client: Client = context === undefined ? {} : clientOf(context);
  const ofUser = { ...about, organizationId, subject: `user:${userId}` };
  const onAppended = context && { onAppended: context.appended };
  const em = tools.em(organizationId);
  // The user first: from then on nobody can start another session.
  await tools.store.handle(userStream, userId, { type: 'Remove' }, { metadata: ofUser, ...onAppended });
  await Promise.all([
    ...(await sessionsOf(em, userId)).map(({ id }) =>
      revoking(
        tools,
        () => markSessionRevoked(tools.cache, id),
        () =>
          tools.store.handle(
            sessionStream,
            id,
            { type: 'End', reason: 'member-removed', client },
            { metadata: ofUser, ...onAppended },
          ),
      ),
    ),
    ...(await keysOf(em, userId)).map(({ id, hash }) =>
      revoking(
        tools,
        () => markApiKeyRevoked(tools.cache, hash),
        () =>
          tools.store.handle(
            apiKeyStream,
            id,
            { type: 'Revoke', client },
            { metadata: { ...about, organizationId, subject: `organization:${organizationId}` }, ...onAppended },
          ),
      ),
    ),
  ]);
}

const sessionsOf = (em: EntityManager, userId: string) =>
  em.find(SessionRow, { userId, endedAt: null }, { fields: ['id'] });

const keysOf = (em: EntityManager, makerId: string) =>
  em.find(ApiKeyRow, { makerId, revokedAt: null }, { fields: ['id', 'hash'] });
