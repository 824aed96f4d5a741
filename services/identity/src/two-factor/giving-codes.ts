import type { RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { fingerprintOf } from './codes.ts';
import { twoFactorStream, type GivenCode, type TwoFactorCommand } from './two-factor.ts';
import { TwoFactorRow } from './two-factor-view.ts';

export const givenCode = (tools: IdentityTools, userId: string, code: string, context: RequestContext): GivenCode => ({
  code: code.trim(),
  fingerprint: fingerprintOf(userId, code),
  at: tools.clock.now(),
  requestedBy: context.resourceId,
  client: clientOf(context),
});

/**
 * Uses a code up. Wrong ones are counted.
 *
 * @returns whether it was right
 * @throws Refused RATE_LIMITED after too many wrong ones, CONFLICT when two-factor login is not as the command needs it
 */
export async function giveCode(
  tools: IdentityTools,
  user: { readonly userId: string; readonly organizationId: string },
  command: TwoFactorCommand,
  context: RequestContext,
): Promise<boolean> {
  const metadata = aboutUser(user.userId, user.organizationId, context);
  const { events } = await tools.store.handle(twoFactorStream, user.userId, command, {
    metadata,
    onAppended: context.appended,
  });
  return events.every((event) => event.type !== 'TwoFactorCodeRefused');
}

/** Whether a user logs in with a second factor, and how many backup codes are left. */
export async function secondFactorOf(
  tools: IdentityTools,
  userId: string,
): Promise<{ twoFactorEnabled: boolean; backupCodesRemaining: number }> {
  const row = await tools.orm.em.fork().findOne(TwoFactorRow, { userId });
  return { twoFactorEnabled: row?.enabled ?? false, backupCodesRemaining: row?.backupCodesRemaining ?? 0 };
}
