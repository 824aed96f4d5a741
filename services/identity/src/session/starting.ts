import type { RequestContext } from '@messaging-gateway/service';
import { v7 } from 'uuid';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { sessionStream } from './session.ts';
import type { TokenAnswer } from './tokens.ts';

/** Starts a session of a user who has proved to be that user. */
export async function startSession(
  tools: IdentityTools,
  user: { readonly id: string; readonly organizationId: string },
  by: 'register' | 'login',
  context: RequestContext,
): Promise<TokenAnswer> {
  const { id: userId, organizationId } = user;
  const sessionId = v7({ msecs: tools.clock.now() });
  const grant = tools.tokens.nextGrant();
  await tools.store.handle(
    sessionStream,
    sessionId,
    {
      type: 'Start',
      sessionId,
      userId,
      organizationId,
      by,
      grant,
      expiresAt: tools.tokens.sessionEnd(grant),
      client: clientOf(context),
    },
    { metadata: aboutUser(userId, organizationId, context), onAppended: context.appended },
  );
  return tools.tokens.pair({ userId, sessionId, organizationId }, grant);
}
