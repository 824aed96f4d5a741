import type { CurrentUser, Permission } from '@messaging-gateway/contracts';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { findMembership } from '../organization/membership.ts';
import { secondFactorOf } from '../two-factor/giving-codes.ts';
import { UserRow } from './users-view.ts';

export type UserRecord = InferEntity<typeof UserRow>;
type CurrentUserAnswer = Static<typeof CurrentUser>;

/** A user of the organization; undefined when there is none. */
export async function findUser(em: EntityManager, id: string): Promise<UserRecord | undefined> {
  return (await em.findOne(UserRow, { id })) ?? undefined;
}

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
