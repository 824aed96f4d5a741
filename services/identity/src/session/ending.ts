import { type RevokeSession, markSessionRevoked, type Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf, OperationInput, RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { IdentityTools } from '../tools.ts';
import { SessionRow } from './sessions-view.ts';
import { sessionStream, type EndReason } from './session.ts';

/** Ends the session of the request. */
export async function logout(tools: IdentityTools, { caller, context }: OperationInput<unknown>): Promise<void> {
  if (caller.sessionId !== undefined) await endSession(tools, caller.sessionId, 'logout', caller, context);
}

/** Ends one of the caller's own sessions. */
export async function revokeSession(
  tools: IdentityTools,
  { caller, context, params }: InputOf<typeof RevokeSession>,
): Promise<void> {
  const own = await activeSessionIds(tools, caller, context);
  const id = params.id.toLowerCase();
  if (!own.includes(id)) throw new Refused('NOT_FOUND', 'There is no such session.');
  await endSession(tools, id, 'revoked', caller, context);
}

/** Ends all of the caller's sessions but the present one. @returns how many */
export async function endOtherSessions(
  tools: IdentityTools,
  reason: EndReason,
  caller: Caller,
  context: RequestContext,
): Promise<number> {
  const others = (await activeSessionIds(tools, caller, context)).filter((id) => id !== caller.sessionId);
  await Promise.all(others.map((id) => endSession(tools, id, reason, caller, context)));
  return others.length;
}

/** From the answer on every replica of the gateway refuses the tokens. */
async function endSession(
  tools: IdentityTools,
  id: string,
  reason: EndReason,
  caller: Caller,
  context: RequestContext,
): Promise<void> {
  const end = { type: 'End', reason, client: clientOf(context) } as const;
  const metadata = aboutUser(caller.userId, caller.organizationId, context);
  await revoking(
    tools,
    () => markSessionRevoked(tools.cache, id),
    () => tools.store.handle(sessionStream, id, end, { metadata, onAppended: context.appended }),
  );
}

async function activeSessionIds(tools: IdentityTools, { userId }: Caller, context: RequestContext): Promise<string[]> {
  const isActive = { userId, endedAt: null, expiresAt: { $gt: new Date(tools.clock.now()) } };
  const rows = await context.em().find(SessionRow, isActive, { fields: ['id'] });
  return rows.map((row) => row.id);
}
