import type { CurrentUser, Permission } from '@messaging-gateway/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { findMembership } from '../organization/membership.ts';
import { secondFactorOf } from '../two-factor/giving-codes.ts';
import type { UserRecord } from '../user/users-view.ts';

type CurrentUserAnswer = Static<typeof CurrentUser>;

/**
 * A user as answers show it.
 *
 * @param permissions what the credential at hand allows; absent: all that the role does
 */
export async function currentUser(
  em: EntityManager,
  user: UserRecord,
  permissions?: readonly Permission[],
): Promise<CurrentUserAnswer> {
  const { id, email, name, organizationId } = user;
  const membership = await findMembership(em, id);
  return {
    id,
    email,
    name,
    role: membership?.role ?? '',
    organizationId,
    permissions: [...(permissions ?? membership?.permissions ?? [])],
    ...(await secondFactorOf(em, id)),
    createdAt: user.createdAt.toISOString(),
  };
}
