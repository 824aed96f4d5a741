import type { DeleteAccountData } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, type InputOf, type PeriodicJob } from '@messaging-gateway/service';
import { aboutOrganization } from '../client.ts';
import { changing } from '../credential/revoking.ts';
import { endMembership } from '../member/removing.ts';
import { organizationStream } from '../organization/organization.ts';
import type { IdentityTools } from '../tools.ts';
import { findUser } from '../user/users-view.ts';
import { requestErasure } from '../erasure/requesting.ts';

/**
 * Ends the caller's user and asks for its erasure. What a crash leaves undone follows from the fact that the member left.
 *
 * @throws Refused FORBIDDEN for a wrong password, CONFLICT for the last Owner beside other members
 */
export async function leave(
  tools: IdentityTools,
  erasing: Pick<PeriodicJob, 'wake'>,
  { body, caller, context }: InputOf<typeof DeleteAccountData>,
): Promise<void> {
  const { userId, organizationId } = caller;
  const user = await findUser(context.em(), userId);
  if (!(await tools.passwords.matches(body.password, user?.passwordHash)))
    throw new Refused('FORBIDDEN', 'The password is wrong.');
  const metadata = aboutOrganization(organizationId, context, actorOf(caller));
  const { state } = await changing(tools, organizationId, () =>
    tools.store.handle(
      organizationStream,
      organizationId,
      { type: 'Leave', userId },
      { metadata, onAppended: context.appended },
    ),
  );
  const wholeOrganization = state.status === 'founded' && Object.keys(state.members).length === 0;
  await endMembership(tools, { userId, organizationId }, metadata, context);
  await requestErasure(tools, { userId, organizationId, wholeOrganization });
  erasing.wake();
}
