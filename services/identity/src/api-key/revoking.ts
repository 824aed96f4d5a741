import { markApiKeyRevoked } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import { aboutOrganization, actorOf, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { IdentityTools } from '../tools.ts';
import { apiKeyStream } from './api-key.ts';

/**
 * Revokes a key and all keys that were made with it. Until it is revoked more can be made, and so it looks again. What a
 * crash leaves does not work either (`resolveCredential` looks at all keys further up), and asking again goes on.
 *
 * @throws Refused NOT_FOUND, also for another organization's
 */
export async function revokeApiKey(
  tools: IdentityTools,
  { params, caller, context }: OperationInput<unknown>,
): Promise<void> {
  const metadata = aboutOrganization(caller.organizationId, context, actorOf(caller));
  const revoke = { type: 'Revoke', client: clientOf(context) } as const;
  const revoked = new Set<string>();
  for (;;) {
    const family = await heldFamily(tools, params['id'] ?? '', caller.organizationId);
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

/** The key and those made with it, as far as they are not revoked. */
async function heldFamily(
  tools: IdentityTools,
  id: string,
  organizationId: string,
): Promise<{ id: string; hash: string }[]> {
  return tools.sql.query<{ id: string; hash: string }>(
    `WITH RECURSIVE family AS (
       SELECT id, hash, revoked_at FROM identity.api_keys WHERE id = $1 AND organization_id = $2
       UNION
       SELECT child.id, child.hash, child.revoked_at
         FROM identity.api_keys child JOIN family ON child.parent_id = family.id
     )
     SELECT id, hash FROM family WHERE revoked_at IS NULL`,
    [id, organizationId],
  );
}
