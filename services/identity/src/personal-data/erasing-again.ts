import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { LoggedErasure } from '@messaging-gateway/media';
import { organizationStream } from '../organization/organization.ts';
import { userStream } from '../user/user.ts';
import { erasureStream } from './erasure.ts';
import { requestErasure } from './requesting.ts';

/**
 * Erases people again whom a restored database brought back: ends their accounts in identity's journal, from where
 * the services carry on as for anybody who leaves. For an operator's command; nothing may run.
 *
 * @param erasures from the log of erasures, oldest first
 * @returns how many the database did not know as erased
 */
export async function eraseUsersAgain(store: EventStore, erasures: readonly LoggedErasure[]): Promise<number> {
  let again = 0;
  for (const { userId, organizationId, wholeOrganization } of erasures) {
    const user = await store.load(userStream, userId);
    const erasure = await store.load(erasureStream, userId);
    // Who came after the backup is not in it; what it knows as begun goes on by itself.
    if (user.state.status === 'unknown' || erasure.state.status !== 'none') continue;
    const about = { organizationId, actor: 'operator' };
    const ofOrganization = { ...about, subject: `organization:${organizationId}` };
    const leave = { type: 'LeaveAgain', userId, wholeOrganization } as const;
    await store.handle(organizationStream, organizationId, leave, { metadata: ofOrganization });
    await store.handle(userStream, userId, { type: 'Remove' }, { metadata: { ...about, subject: `user:${userId}` } });
    await requestErasure({ store }, { userId, organizationId, wholeOrganization });
    again += 1;
  }
  return again;
}
