import { view, type InlineView } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';
import { profileStream } from './profile.ts';
import { activeAt, healthStream, type HealthEvent, type NewChats, type Restriction } from './health.ts';

/** A row of `profile_health`. */
interface HealthRow {
  readonly profile_id: string;
  readonly restriction: Restriction | null;
  readonly new_chats: NewChats | null;
  /** `YYYY-MM-DD`, the day on which `refused` messages were refused. */
  readonly refused_day: string | null;
  readonly refused: number;
  readonly checked_at: Date | null;
}

/** The state of an account as it is now. */
export interface HealthRecord {
  readonly restriction: Restriction | undefined;
  readonly newChats: NewChats | undefined;
  readonly refusedOn: (day: string) => number;
  readonly checkedAt: Date | undefined;
}

const none: HealthRecord = { restriction: undefined, newChats: undefined, refusedOn: () => 0, checkedAt: undefined };

/** Reads the states of profiles; a profile of which nothing was reported has the empty state. */
export async function readHealth(
  sql: Sql,
  profileIds: readonly string[],
  now: number,
): Promise<(profileId: string) => HealthRecord> {
  const rows = await sql.query<HealthRow>(
    `SELECT profile_id, restriction, new_chats, to_char(refused_day, 'YYYY-MM-DD') AS refused_day, refused, checked_at
       FROM profile_health WHERE profile_id = ANY ($1::uuid[])`,
    [profileIds],
  );
  const records = new Map(rows.map((row) => [row.profile_id, recordOf(row, now)]));
  return (profileId) => records.get(profileId) ?? none;
}

const recordOf = (
  { restriction, new_chats, refused_day, refused, checked_at }: HealthRow,
  now: number,
): HealthRecord => ({
  restriction: activeAt(restriction ?? undefined, now),
  newChats: new_chats ?? undefined,
  refusedOn: (day) => (refused_day === day ? refused : 0),
  checkedAt: checked_at ?? undefined,
});

/** Stores when the network was last queried. */
export async function noteChecked(
  sql: Sql,
  { organizationId, profileId }: { readonly organizationId: string; readonly profileId: string },
  now: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO profile_health (profile_id, organization_id, checked_at) VALUES ($1, $2, $3)
     ON CONFLICT (profile_id) DO UPDATE SET checked_at = excluded.checked_at`,
    [profileId, organizationId, new Date(now)],
  );
}

/** Profiles whose restriction has ended, at most 100. */
export const expiredRestrictions = (
  sql: Sql,
  now: number,
): Promise<{ profile_id: string; organization_id: string }[]> =>
  sql.query(
    'SELECT profile_id, organization_id FROM profile_health WHERE restricted_until <= $1 ORDER BY restricted_until LIMIT 100',
    [new Date(now)],
  );

/** Number of profiles that are restricted now. */
export async function countRestricted(sql: Sql, now: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM profile_health WHERE restricted_until > $1',
    [new Date(now)],
  );
  return row?.count ?? 0;
}

/** Columns that an event changes. */
function patchOf(event: HealthEvent): object {
  switch (event.type) {
    case 'RestrictionSet':
      return { restriction: event.data.restriction, restrictedUntil: event.data.restriction.until };
    case 'RestrictionEnded':
      return { restriction: null, restrictedUntil: null };
    case 'NewChatsReported':
      return { newChats: event.data.newChats };
    case 'SendRefused':
      return { refusedDay: event.data.day };
  }
}

const tables = ['profile_health'];

const healthChanged = view({
  name: 'profile health',
  tables,
  of: healthStream,
  on: ['RestrictionSet', 'RestrictionEnded', 'NewChatsReported', 'SendRefused'],
  rows: (events) => {
    const [first] = events;
    if (first === undefined) return [];
    const { profileId } = first.data;
    const { organizationId } = first.metadata;
    return [Object.assign({ profileId, organizationId }, ...events.map(patchOf)) as object];
  },
  sql: `INSERT INTO {schema}.profile_health AS h (profile_id, organization_id, restriction, restricted_until, new_chats, refused_day, refused)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid, nullif(row->'restriction', 'null'::jsonb),
           (row->>'restrictedUntil')::timestamptz, row->'newChats', (row->>'refusedDay')::date, (row ? 'refusedDay')::int FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET
      (restriction, restricted_until, new_chats, refused_day, refused) = (
        SELECT CASE WHEN row ? 'restriction' THEN excluded.restriction ELSE h.restriction END,
               CASE WHEN row ? 'restriction' THEN excluded.restricted_until ELSE h.restricted_until END,
               coalesce(excluded.new_chats, h.new_chats), coalesce(excluded.refused_day, h.refused_day),
               CASE WHEN h.refused_day = excluded.refused_day THEN h.refused + excluded.refused
                    WHEN excluded.refused_day IS NULL THEN h.refused ELSE excluded.refused END
          FROM {rows} WHERE (row->>'profileId')::uuid = h.profile_id)`,
});

const healthOfDeleted = view({
  name: 'health of deleted profiles',
  tables,
  of: profileStream,
  on: ['ProfileDeleted'],
  rows: (events) => events.map(({ data: { profileId } }) => ({ profileId })),
  sql: `DELETE FROM {schema}.profile_health USING {rows} WHERE profile_id = (row->>'profileId')::uuid`,
});

export const healthViews: readonly InlineView[] = [healthChanged, healthOfDeleted];
