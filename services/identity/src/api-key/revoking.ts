import { markApiKeyRevoked } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import { aboutOrganization, actorOf, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { IdentityTools } from '../tools.ts';
import { apiKeyStream } from './api-key.ts';

/** Revokes a key and all keys that were made with it. */
export async function revokeApiKey(
  tools: IdentityTools,
  { params, caller, context }: OperationInput<unknown>,
): Promise<void> {
  const keys = await withDescendants(tools, params['id'] ?? '', caller.organizationId);
  if (keys.length === 0) throw new Refused('NOT_FOUND', 'There is no such key.');
  const metadata = aboutOrganization(caller.organizationId, context, actorOf(caller));
  const revoke = { type: 'Revoke', client: clientOf(context) } as const;
  await Promise.all(
    keys.map(({ id, hash }) =>
      revoking(
        tools,
        () => markApiKeyRevoked(tools.cache, hash),
        () => tools.store.handle(apiKeyStream, id, revoke, { metadata, onAppended: context.appended }),
      ),
    ),
  );
}

async function withDescendants(
  tools: IdentityTools,
  id: string,
  organizationId: string,
): Promise<{ id: string; hash: string }[]> {
  return tools.sql.query<{ id: string; hash: string }>(
    `WITH RECURSIVE family AS (
       SELECT id, hash FROM identity.api_keys WHERE id = $1 AND organization_id = $2 AND revoked_at IS NULL
       UNION
       SELECT child.id, child.hash FROM identity.api_keys child JOIN family ON child.parent_id = family.id
        WHERE child.revoked_at IS NULL
     )
     SELECT id, hash FROM family`,
    [id, organizationId],
  );
}
