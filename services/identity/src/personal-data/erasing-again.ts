import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { LoggedErasure } from '@messaging-gateway/media';
import { ownersOf } from '../organization/member-rules.ts';
import { organizationStream } from '../organization/organization.ts';
import { userStream } from '../user/user.ts';
import { erasureStream } from '../erasure/erasure.ts';
import { requestErasure } from '../erasure/requesting.ts';

/**
 * Erases people again whom a restored database brought back: ends their accounts in identity's journal, from where
 * the services carry on as for anybody who leaves. Who owned the organization afterwards owns it again when nobody else
 * does. For an operator's command; nothing may run.
 *
 * @param erasures from the log of erasures, oldest first
 * @returns how many the database did not know as erased, and organizations that have members and no Owner now
 */
export async function eraseUsersAgain(
  store: EventStore,
  erasures: readonly LoggedErasure[],
): Promise<{ readonly again: number; readonly withoutOwner: readonly string[] }> {
  let again = 0;
  const withoutOwner = new Set<string>();
  for (const { userId, organizationId, wholeOrganization, owners } of erasures) {
    const user = await store.load(userStream, userId);
    const erasure = await store.load(erasureStream, userId);
    // Who came after the backup is not in it; what it knows as begun goes on by itself.
    if (user.state.status === 'unknown' || erasure.state.status !== 'none') continue;
    const about = { organizationId, actor: 'operator' };
    const ofOrganization = { ...about, subject: `organization:${organizationId}` };
    const leave = { type: 'LeaveAgain', userId, wholeOrganization, ...(owners && { owners }) } as const;
    const { state } = await store.handle(organizationStream, organizationId, leave, { metadata: ofOrganization });
    withoutOwner.delete(organizationId);
    if (state.status === 'founded' && Object.keys(state.members).length > 0 && ownersOf(state).length === 0)
      withoutOwner.add(organizationId);
    await store.handle(userStream, userId, { type: 'Remove' }, { metadata: { ...about, subject: `user:${userId}` } });
    await requestErasure({ store }, { userId, organizationId, wholeOrganization });
    again += 1;
  }
  return { again, withoutOwner: [...withoutOwner] };
}
