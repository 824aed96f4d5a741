import { markSessionRevoked, type Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput, RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { IdentityTools } from '../tools.ts';
import { sessionStream, type EndReason } from './session.ts';

/** Ends the session of the request. */
export async function logout(tools: IdentityTools, { caller, context }: OperationInput<unknown>): Promise<void> {
  if (caller.sessionId !== undefined) await endSession(tools, caller.sessionId, 'logout', caller, context);
}

/** Ends one of the caller's own sessions. */
export async function revokeSession(
  tools: IdentityTools,
  { caller, context, params }: OperationInput<unknown>,
): Promise<void> {
  const own = await activeSessionIds(tools, caller);
  const id = params['id']?.toLowerCase();
  if (id === undefined || !own.includes(id)) throw new Refused('NOT_FOUND', 'There is no such session.');
  await endSession(tools, id, 'revoked', caller, context);
}

/** Ends all of the caller's sessions but the present one. @returns how many */
export async function endOtherSessions(
  tools: IdentityTools,
  reason: EndReason,
  caller: Caller,
  context: RequestContext,
): Promise<number> {
  const others = (await activeSessionIds(tools, caller)).filter((id) => id !== caller.sessionId);
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

async function activeSessionIds(tools: IdentityTools, { userId, organizationId }: Caller): Promise<string[]> {
  const rows = await tools.sql.query<{ id: string }>(
    `SELECT id FROM identity.user_sessions
      WHERE user_id = $1 AND organization_id = $2 AND ended_at IS NULL AND expires_at > $3`,
    [userId, organizationId, new Date(tools.clock.now())],
  );
  return rows.map((row) => row.id);
}
