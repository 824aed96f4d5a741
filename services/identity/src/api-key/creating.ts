import { createHash, randomBytes } from 'node:crypto';
import { DescribeProfile, type CreateApiKey, type CreatedApiKey } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf, type RequestContext } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { apiKeyStream, type Fingerprint, type Scope } from './api-key.ts';
import { findKey, shownKey } from './listing.ts';
import { scopeOf } from './scope.ts';

const day = 86_400_000;
/** `gw_` and eight characters: enough to tell keys apart, far too little to guess one. */
const prefixLength = 11;
const askedAtOnce = 50;

/** Makes a key. It is shown in this answer and kept as SHA-256 only. */
export async function createApiKey(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof CreateApiKey>,
): Promise<Static<typeof CreatedApiKey>> {
  const { organizationId } = caller;
  await requireProfiles(tools, body.profileIds ?? [], organizationId, context);
  const apiKeyId = context.resourceId;
  const key = `gw_${randomBytes(32).toString('base64url')}`;
  await tools.store.handle(
    apiKeyStream,
    apiKeyId,
    {
      type: 'Create',
      apiKeyId,
      organizationId,
      makerId: caller.userId,
      ...(caller.apiKeyId !== undefined && { parentId: caller.apiKeyId }),
      name: body.name.trim(),
      scope: await requestedScope(tools, { body, caller, context }),
      fingerprint: fingerprintOf(key),
      client: clientOf(context),
    },
    { metadata: aboutUser(caller.userId, organizationId, context, actorOf(caller)), onAppended: context.appended },
  );
  const made = await findKey(context.em(), apiKeyId);
  if (made === undefined) throw new Refused('CONFLICT', 'The key has been revoked.');
  return { ...shownKey(made, undefined), key };
}

/** Asks sessions, which knows the profiles. @throws Refused NOT_FOUND, also for a profile of another organization */
async function requireProfiles(
  tools: IdentityTools,
  profileIds: readonly string[],
  organizationId: string,
  { requestId, deadline }: RequestContext,
): Promise<void> {
  for (let from = 0; from < profileIds.length; from += askedAtOnce) {
    const some = profileIds.slice(from, from + askedAtOnce);
    await Promise.all(
      some.map((profileId) => tools.ask(DescribeProfile, { organizationId, profileId }, { requestId, deadline })),
    );
  }
}

async function requestedScope(
  tools: IdentityTools,
  { body, caller, context }: Pick<InputOf<typeof CreateApiKey>, 'body' | 'caller' | 'context'>,
): Promise<Scope> {
  const { permissions, profileIds, allowedCidrs, expiresInDays } = body;
  const parent = caller.apiKeyId === undefined ? undefined : await scopeOfKey(context.em(), caller.apiKeyId);
  return scopeOf(caller, {
    ...(permissions && { permissions }),
    ...(profileIds && { profileIds: profileIds.map((id) => id.toLowerCase()) }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(expiresInDays !== undefined && { expiresAt: new Date(tools.clock.now() + expiresInDays * day).toISOString() }),
    ...(parent && { parent }),
  });
}

async function scopeOfKey(em: EntityManager, id: string): Promise<Scope> {
  const parent = await findKey(em, id);
  if (parent === undefined) throw new Refused('UNAUTHORIZED', 'The key is not valid.');
  const { permissions, profileIds, allowedCidrs, expiresAt } = parent;
  return {
    ...(permissions && { permissions }),
    ...(profileIds && { profileIds }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  };
}

const fingerprintOf = (key: string): Fingerprint => ({
  hash: createHash('sha256').update(key).digest('hex'),
  prefix: key.slice(0, prefixLength),
});
