import type { SignedIn } from '@messaging-gateway/contracts';
import { ofOrganization, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { startSession } from '../session/starting.ts';
import type { IdentityTools } from '../tools.ts';
import { currentUser } from './current-user.ts';
import type { UserRecord } from '../user/users-view.ts';

/** The answer to somebody who has proved to be this user. @param sessionId default: one of the request */
export async function signIn(
  tools: IdentityTools,
  user: UserRecord,
  context: RequestContext,
  sessionId?: string,
): Promise<Static<typeof SignedIn>> {
  const tokens = await startSession(tools, user, 'login', context, sessionId);
  return {
    ...tokens,
    user: await currentUser(ofOrganization(context.em(), user.organizationId), user),
    ...(user.mustChangePassword && { mustChangePassword: true }),
  };
}
