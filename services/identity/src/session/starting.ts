import type { AppendGuard } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { sessionStream } from './session.ts';
import type { TokenAnswer } from './tokens.ts';

/** A user who has given the right password. */
interface Proven {
  readonly id: string;
  readonly organizationId: string;
  /** Of the password that was given: a session starts only while it is still the present one. */
  readonly passwordHash: string;
}

/**
 * Starts a session of a user who has proved to be that user. A session that has been started before goes on: it has the
 * id of the request, so that a repeat makes no other.
 *
 * @throws Refused UNAUTHORIZED when the password was changed meanwhile, or the session has ended
 */
export async function startSession(
  tools: IdentityTools,
  { id: userId, organizationId, passwordHash }: Proven,
  by: 'register' | 'login',
  context: RequestContext,
  sessionId = context.resourceId,
): Promise<TokenAnswer> {
  const grant = tools.tokens.nextGrant(context.resourceId);
  const { outcome, state } = await tools.store.handle(
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
    {
      metadata: aboutUser(userId, organizationId, context),
      guard: { name: 'password', request: { userId, passwordHash } },
      onAppended: context.appended,
    },
  );
  if (outcome === 'guarded' || state.status !== 'active') throw wrongCredentials();
  return tools.tokens.pair(state, state.grant);
}

/** Refusal of a login, in the same words whatever was wrong. */
export const wrongCredentials = (): Refused => new Refused('UNAUTHORIZED', 'The address or the password is wrong.');

/**
 * Lets a session start only with the present password: whoever logged in with the old one while it was changed gets
 * no session that the change would not have ended.
 */
export const passwordGuard: AppendGuard = {
  name: 'password',
  sql: `SELECT asked.command FROM {requests} asked
          JOIN {schema}.users ON users.id = (asked.request->>'userId')::uuid
           AND users.password_hash = asked.request->>'passwordHash'
         ORDER BY users.id FOR SHARE OF users`,
};
