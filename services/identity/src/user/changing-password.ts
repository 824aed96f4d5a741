import type { BodyOf, ChangePassword } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import { changing } from '../credential/revoking.ts';
import { endOtherSessions } from '../session/ending.ts';
import type { IdentityTools } from '../tools.ts';
import { findUser } from './current-user.ts';
import { userStream } from './user.ts';

/** Sets a new password and ends all other sessions. When the old one was temporary, all routes are open again. */
export async function changePassword(
  tools: IdentityTools,
  { body, caller, context }: OperationInput<BodyOf<typeof ChangePassword>>,
): Promise<{ revokedCount: number }> {
  const user = await findUser(tools, caller.userId, caller.organizationId);
  if (!(await tools.passwords.matches(body.currentPassword, user?.passwordHash))) {
    throw new Refused('FORBIDDEN', 'The current password is wrong.');
  }
  const passwordHash = await tools.passwords.hash(body.newPassword);
  await tools.store.handle(
    userStream,
    caller.userId,
    { type: 'ChangePassword', passwordHash, client: clientOf(context) },
    { metadata: aboutUser(caller.userId, caller.organizationId, context), onAppended: context.appended },
  );
  const revokedCount = await endOtherSessions(tools, 'password-changed', caller, context);
  if (user?.mustChangePassword === true) await changing(tools, caller.organizationId, async () => undefined);
  return { revokedCount };
}
