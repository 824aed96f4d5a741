import type { UserSession } from '@messaging-gateway/contracts';
import type { OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { lastUses } from '../credential/last-use.ts';
import type { IdentityTools } from '../tools.ts';
import { SessionRow } from './sessions-view.ts';

const most = 200;

/** The caller's sessions that have neither ended nor expired, newest first. */
export async function listSessions(
  tools: IdentityTools,
  { caller, context }: OperationInput<unknown>,
): Promise<Static<typeof UserSession>[]> {
  const { userId } = caller;
  const em = context.em();
  const isActive = { userId, endedAt: null, expiresAt: { $gt: new Date(tools.clock.now()) } };
  const rows = await em.find(SessionRow, isActive, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: most });
  const used = await lastUses(
    em,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    current: row.id === caller.sessionId,
    ipAddress: row.client.ipAddress ?? null,
    userAgent: row.client.userAgent ?? null,
    createdAt: row.createdAt.toISOString(),
    lastActiveAt: (used.get(row.id) ?? row.createdAt).toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}
