import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { auditMarkOf, type RequestContext } from '@messaging-gateway/service';
import type { EntityManager } from '@mikro-orm/postgresql';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { failedLogin } from '../user/login-attempt.ts';
import { fingerprintOf } from './codes.ts';
import { Overtaken, isRight, twoFactor, twoFactorStream, type GivenCode, type TwoFactorCommand } from './two-factor.ts';
import { TwoFactorRow } from './two-factor-view.ts';

/** A command that gives a code. */
type CodeCommand = Exclude<TwoFactorCommand, { type: 'Offer' }>;

export const givenCode = (tools: IdentityTools, userId: string, code: string, context: RequestContext): GivenCode => ({
  code: code.trim(),
  fingerprint: fingerprintOf(userId, code),
  at: tools.clock.now(),
  requestedBy: context.resourceId,
  client: clientOf(context),
});

/**
 * Uses a code up. Wrong ones are counted. What comes of it is foreseen first, as the audit calls it differently.
 *
 * @returns whether it was right
 * @throws Refused RATE_LIMITED after too many wrong ones, CONFLICT when two-factor login is not as the command needs it
 */
export async function giveCode(
  tools: IdentityTools,
  user: { readonly userId: string; readonly organizationId: string },
  command: CodeCommand,
  context: RequestContext,
): Promise<boolean> {
  for (;;) {
    const { state } = await tools.store.load(twoFactorStream, user.userId);
    const foreseen = isRight(twoFactor.decide(command, state));
    const foretold: CodeCommand = { ...command, given: { ...command.given, foreseen } };
    const options = audited(aboutUser(user.userId, user.organizationId, context), command, foreseen, context);
    try {
      return isRight((await tools.store.handle(twoFactorStream, user.userId, foretold, options)).events);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

/** A right code at login is no entry of the audit, as the session that starts is one; a wrong one is only at login. */
function audited(metadata: EventMetadata, { type }: CodeCommand, foreseen: boolean, context: RequestContext) {
  if (foreseen && type !== 'LogIn') return { metadata, onAppended: context.appended };
  return !foreseen && type === 'LogIn'
    ? { metadata: { ...metadata, ...failedLogin(auditMarkOf(context)) } }
    : { metadata };
}

/** Whether a user logs in with a second factor, and how many backup codes are left. */
export async function secondFactorOf(
  em: EntityManager,
  userId: string,
): Promise<{ twoFactorEnabled: boolean; backupCodesRemaining: number }> {
  const row = await em.findOne(TwoFactorRow, { userId });
  return { twoFactorEnabled: row?.enabled ?? false, backupCodesRemaining: row?.backupCodesRemaining ?? 0 };
}
