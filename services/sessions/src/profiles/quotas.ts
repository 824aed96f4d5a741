import type { AppendGuard } from '@messaging-gateway/event-sourcing';
import { quotaReached, type Refused } from '@messaging-gateway/messaging';

/** Things that an organization may have so many of: profiles, and connections that wait for their first scan. */
type Quota = 'profiles' | 'unscanned';

const asWords: Readonly<Record<Quota, string>> = {
  profiles: 'profiles',
  unscanned: 'connections that nobody has scanned yet',
};

/**
 * Lets a profile be made or connected while its organization has fewer than it may. One of an organization at a time:
 * those that come at the same moment wait for its row, and see each other.
 */
export const quotaGuard: AppendGuard = {
  name: 'quota',
  before: [
    [
      'quota_rows',
      `INSERT INTO {schema}.quotas (organization_id)
       SELECT DISTINCT (request->>'organizationId')::uuid FROM {requests} ORDER BY 1
       ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id
       RETURNING organization_id`,
    ],
  ],
  sql: `SELECT asked.command FROM (
          SELECT r.command, r.request, q.organization_id,
                 row_number() OVER (PARTITION BY q.organization_id, r.request->>'quota' ORDER BY r.command) AS place
            FROM {requests} r JOIN quota_rows q ON q.organization_id = (r.request->>'organizationId')::uuid) asked
         WHERE asked.place + CASE asked.request->>'quota'
                 WHEN 'profiles' THEN {schema}.profiles_of(asked.organization_id)
                 ELSE {schema}.unscanned_of(asked.organization_id, (asked.request->>'profileId')::uuid) END
               <= (asked.request->>'limit')::bigint`,
};

/** @param limit 0: any number */
export const withinQuota = (
  quota: Quota,
  limit: number,
  of: { readonly organizationId: string; readonly profileId: string },
) => (limit === 0 ? {} : { guard: { name: quotaGuard.name, request: { ...of, quota, limit } } });

export const quotaRefusal = (quota: Quota, limit: number): Refused => quotaReached(asWords[quota], limit);
