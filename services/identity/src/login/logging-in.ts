import type { Login, SignedIn, TwoFactorChallenge } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { auditMarkOf, type InputOf, type RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { aboutUser, clientOf } from '../client.ts';
import { wrongCredentials } from '../session/starting.ts';
import type { IdentityTools } from '../tools.ts';
import { secondFactorOf } from '../two-factor/giving-codes.ts';
import { userWithAddress } from '../user/addresses.ts';
import type { UserRecord } from '../user/users-view.ts';
import { failedLogin, loginAttemptStream } from '../user/login-attempt.ts';
import { signIn } from './signing-in.ts';

/** How long a temporary password lets somebody in. */
const temporaryPasswordMs = 7 * 86_400_000;

/**
 * Starts a session for address and password, or asks for a code. An unknown address costs the same time and gets the same answer.
 */
export async function logIn(
  tools: IdentityTools,
  { body, context }: InputOf<typeof Login>,
): Promise<Static<typeof SignedIn> | Static<typeof TwoFactorChallenge>> {
  const user = await userWithAddress(context.em(), await tools.addresses.hashOf(body.email));
  const right = await tools.passwords.matches(body.password, user?.passwordHash);
  if (user === undefined || !right) {
    if (user !== undefined) noteFailure(tools, user, context);
    throw wrongCredentials();
  }
  if (hasExpired(user, tools.clock.now()))
    throw new Refused('UNAUTHORIZED', 'The temporary password has expired: ask for another one.');
  const { twoFactorEnabled } = await secondFactorOf(context.em(), user.id);
  if (!twoFactorEnabled) return signIn(tools, user, context);
  const { id: userId, organizationId, passwordHash } = user;
  return { requires2FA: true, challengeToken: tools.tokens.challenge({ userId, organizationId, passwordHash }) };
}

/** A temporary password is seen by others, and nobody may use it: one that lies around must not open anything for ever. */
const hasExpired = ({ mustChangePassword, passwordSince }: UserRecord, now: number): boolean =>
  mustChangePassword && (passwordSince?.getTime() ?? Infinity) + temporaryPasswordMs <= now;

/** For the audit. Not waited for: the answer must not take longer for an address that exists. */
function noteFailure(tools: IdentityTools, user: UserRecord, context: RequestContext): void {
  const failure = { type: 'NoteFailure', userId: user.id, client: clientOf(context) } as const;
  tools.store
    .handle(loginAttemptStream, v7({ msecs: tools.clock.now() }), failure, {
      metadata: { ...aboutUser(user.id, user.organizationId, context), ...failedLogin(auditMarkOf(context)) },
    })
    .catch((error: unknown) =>
      tools.log.error('A failed login was not noted', { userId: user.id, reason: (error as Error).message }),
    );
}
