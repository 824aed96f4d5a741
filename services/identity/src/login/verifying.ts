import type { SignedIn, VerifyTwoFactor } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { ofOrganization, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { findUser } from '../user/users-view.ts';
import { signIn } from './signing-in.ts';
import { giveCode, givenCode } from '../two-factor/giving-codes.ts';

/** Completes a login with a code. A challenge is void once the password was changed or two-factor login turned off. */
export async function verifyTwoFactor(
  tools: IdentityTools,
  { body, context }: InputOf<typeof VerifyTwoFactor>,
): Promise<Static<typeof SignedIn>> {
  const challenge = tools.tokens.readChallenge(body.challengeToken);
  if (challenge === undefined) throw wrong();
  const user = await findUser(ofOrganization(context.em(), challenge.organizationId), challenge.userId);
  if (user === undefined || !challenge.isFor(user.passwordHash)) throw wrong();
  const given = givenCode(tools, user.id, body.code, context);
  const isRight = await giveCode(tools, challenge, { type: 'LogIn', given }, context).catch((error: unknown) => {
    throw error instanceof Refused && error.code === 'CONFLICT' ? wrong() : error;
  });
  if (!isRight) throw wrong();
  return signIn(tools, user, context, challenge.challengeId);
}

const wrong = (): Refused => new Refused('UNAUTHORIZED', 'The challenge or the code is wrong, used or expired.');
