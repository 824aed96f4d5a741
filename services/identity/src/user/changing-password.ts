import type { Caller, ChangePassword } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf, RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import { changing } from '../credential/revoking.ts';
import { endOtherSessions } from '../session/ending.ts';
import type { IdentityTools } from '../tools.ts';
import { findUser } from './users-view.ts';
import { userStream } from './user.ts';

/**
 * Sets a new password and ends all other sessions. When the old one was temporary, all routes are open again. A request
 * that comes again may have set it before: then the rest is done.
 *
 * @throws Refused FORBIDDEN for a wrong current password
 */
export async function changePassword(
  tools: IdentityTools,
  { body, caller, context }: InputOf<typeof ChangePassword>,
): Promise<{ revokedCount: number }> {
  const user = await findUser(context.em(), caller.userId);
  const isRight = await tools.passwords.matches(body.currentPassword, user?.passwordHash);
  const isDone = !isRight && context.repeated && (await tools.passwords.matches(body.newPassword, user?.passwordHash));
  if (!isRight && !isDone) throw new Refused('FORBIDDEN', 'The current password is wrong.');
  if (!isDone) await setPassword(tools, body.newPassword, caller, context);
  const revokedCount = await endOtherSessions(tools, 'password-changed', caller, context);
  if (isDone || user?.mustChangePassword === true) await changing(tools, caller.organizationId, async () => undefined);
  return { revokedCount };
}

async function setPassword(
  tools: IdentityTools,
  password: string,
  { userId, organizationId }: Caller,
  context: RequestContext,
): Promise<void> {
  const passwordHash = await tools.passwords.hash(password);
  await tools.store.handle(
    userStream,
    userId,
    { type: 'ChangePassword', passwordHash, client: clientOf(context) },
    { metadata: aboutUser(userId, organizationId, context), onAppended: context.appended },
  );
}
