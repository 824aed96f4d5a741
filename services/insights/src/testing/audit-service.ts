import {
  AuditRecorded,
  DescribeActors,
  ListAuditLogs,
  type AuditEntry,
  type Caller,
  type DataOf,
} from '@messaging-gateway/contracts';
import { testService, type TestService } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { insights } from '../service.ts';
import { insightsDefaults } from './insights-defaults.ts';

export type Entry = Static<typeof AuditEntry>;

/** Insights on a real PostgreSQL; every user is called Ada and every key Robot. */
export const testAudit = (auditRetentionDays = 365): Promise<TestService> =>
  testService(insights, {
    settings: { ...insightsDefaults, auditRetentionDays },
    others: (fake) =>
      fake(DescribeActors, ({ userIds, apiKeyIds }) => ({
        items: [
          ...userIds.map((id) => ({ type: 'user' as const, id, name: 'Ada' })),
          ...apiKeyIds.map((id) => ({ type: 'api_key' as const, id, name: 'Robot' })),
        ],
      })),
  });

type Told = Partial<DataOf<typeof AuditRecorded>> & { readonly profileId?: string; readonly requestId?: string };

/** Tells of a change by the caller. @returns the id of its entry */
export async function tellChange(
  service: TestService,
  { organizationId, userId, apiKeyId }: Caller,
  { profileId, requestId, ...given }: Told = {},
): Promise<string> {
  const id = given.id ?? v7({ msecs: service.clock.now() });
  const actor = apiKeyId === undefined ? { type: 'user', id: userId } : { type: 'api_key', id: apiKeyId };
  const data = { action: 'profile.create', actor, userId, ip: '192.0.2.1', userAgent: 'curl', ...given, id };
  await service.emit(AuditRecorded, data as DataOf<typeof AuditRecorded>, {
    organizationId,
    key: id,
    ...(profileId !== undefined && { profileId }),
    ...(requestId !== undefined && { requestId }),
  });
  return id;
}

export async function entriesOf(
  service: TestService,
  caller: Caller,
  query: Record<string, unknown> = {},
): Promise<{ items: Entry[]; nextCursor: string | null }> {
  const { body } = await service.call(ListAuditLogs, { caller, query });
  return body as { items: Entry[]; nextCursor: string | null };
}
