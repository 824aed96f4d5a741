import { type DeleteApiKey, markApiKeyRevoked, type Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf } from '@messaging-gateway/service';
import { aboutOrganization, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { IdentityTools } from '../tools.ts';
import { findMembership } from '../organization/membership.ts';
import { apiKeyStream } from './api-key.ts';
import { findKey } from './listing.ts';

/**
 * Revokes a key and all keys that were made with it. Until it is revoked more can be made, and so it looks again. What a
 * crash leaves does not work either (`resolveCredential` looks at all keys further up), and asking again goes on.
 *
 * @throws Refused NOT_FOUND, also for another organization's, or FORBIDDEN for a key of somebody else that may do more
 */
export async function revokeApiKey(
  tools: IdentityTools,
  { params, caller, context }: InputOf<typeof DeleteApiKey>,
): Promise<void> {
  const metadata = aboutOrganization(caller.organizationId, context, actorOf(caller));
  const revoke = { type: 'Revoke', client: clientOf(context) } as const;
  const revoked = new Set<string>();
  for (;;) {
    const family = await heldFamily(tools, params.id, caller.organizationId);
    if (revoked.size === 0) await assertMayRevoke(context.em(), params.id, caller);
    const keys = family.filter(({ id }) => !revoked.has(id));
    if (keys.length === 0) break;
    await Promise.all(
      keys.map(({ id, hash }) =>
        revoking(
          tools,
          () => markApiKeyRevoked(tools.cache, hash),
          () => tools.store.handle(apiKeyStream, id, revoke, { metadata, onAppended: context.appended }),
        ),
      ),
    );
    for (const { id } of keys) revoked.add(id);
  }
  if (revoked.size === 0) throw new Refused('NOT_FOUND', 'There is no such key.');
}

/** People revoke all their own keys. Those made with a key are within its bounds, so the first one tells for all. */
async function assertMayRevoke(em: EntityManager, id: string, caller: Caller): Promise<void> {
  const key = await findKey(em, id);
  if (key === undefined || (caller.apiKeyId === undefined && key.makerId === caller.userId)) return;
  const ofMaker = (await findMembership(em, key.makerId))?.permissions ?? [];
  const held = ofMaker.filter((permission) => key.permissions?.includes(permission) ?? true);
  const isBeyond = held.some((permission) => !caller.permissions.includes(permission));
  const isElsewhere = caller.profileIds !== undefined && !isWithin(key.profileIds ?? undefined, caller.profileIds);
  if (isBeyond || isElsewhere) throw new Refused('FORBIDDEN', 'This key may do what you may not.');
}

const isWithin = (some: readonly string[] | undefined, bounds: readonly string[]): boolean =>
  some !== undefined && some.every((id) => bounds.includes(id));

/** The key and those made with it, as far as they are not revoked. */
async function heldFamily(
  tools: IdentityTools,
  id: string,
  organizationId: string,
): Promise<{ id: string; hash: string }[]> {
  return tools.sql.query<{ id: string; hash: string }>(
    `WITH RECURSIVE family AS (
       SELECT id, hash, revoked_at FROM api_keys WHERE id = $1 AND organization_id = $2
       UNION
       SELECT child.id, child.hash, child.revoked_at
         FROM api_keys child JOIN family ON child.parent_id = family.id
     )
     SELECT id, hash FROM family WHERE revoked_at IS NULL`,
    [id, organizationId],
  );
}
