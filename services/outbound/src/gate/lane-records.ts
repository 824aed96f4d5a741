import type { Lease } from '@messaging-gateway/leases';
import type { Sql } from '@messaging-gateway/service';
import { dayOf } from '../time/day.ts';
import type { GateCount } from './gate-count.ts';
import type { SendingPolicy } from './sending-policy.ts';

/** A lane as it stands in the views. */
export interface LaneRecord {
  readonly profileId: string;
  readonly organizationId: string;
  readonly policy: SendingPolicy;
  readonly closed: boolean;
  readonly count: GateCount;
  /** The epoch of the owner that last gave it up in order. */
  readonly leftEpoch?: number;
}

interface LaneRow {
  readonly profile_id: string;
  readonly organization_id: string;
  readonly message_delay_ms: number;
  readonly daily_message_limit: number | null;
  readonly closed: boolean;
  readonly day: string;
  readonly reserved: number;
  readonly uncertain: number;
  readonly sent: number;
  readonly handed_over_at: Date | null;
  readonly left_epoch: string | null;
}

/** Lanes as they stand in the views. */
export interface LaneRecords {
  find(profileId: string): Promise<LaneRecord | undefined>;
  /** Those of an organization; closed and unknown ones are left out. */
  list(organizationId: string, profileIds: readonly string[]): Promise<LaneRecord[]>;
  some(profileIds: readonly string[]): Promise<LaneRecord[]>;
  /** Profiles that have something to send or to settle. */
  profilesWithWork(): Promise<string[]>;
  /** Puts right what a clock that was ahead has counted for these lanes. @param now milliseconds since 1970 */
  setBack(profileIds: readonly string[], now: number): Promise<void>;
  /** Notes which owner gave a lane up in order: nothing was on its way, and the table says it all. */
  noteLeft(leases: readonly Pick<Lease, 'key' | 'epoch'>[]): Promise<void>;
}

const columns = `policy.*, to_char(lane.day, 'YYYY-MM-DD') as day, lane.reserved, lane.uncertain, lane.sent, lane.handed_over_at, departure.epoch as left_epoch
  from policies as policy join lanes as lane using (profile_id) left join departures as departure using (profile_id)`;

/** One step in the index for each profile, however many messages wait. */
const profilesWithWork = `
  with recursive profile(id) as (
    (select profile_id from queue order by profile_id limit 1)
    union all
    select (select q.profile_id from queue as q where q.profile_id > profile.id order by q.profile_id limit 1)
    from profile where profile.id is not null
  ) select id from profile where id is not null`;

const noteLeft = `
  insert into departures (profile_id, epoch) select * from unnest($1::uuid[], $2::bigint[])
  on conflict (profile_id) do update set epoch = excluded.epoch`;

export function laneRecords(sql: Sql): LaneRecords {
  return {
    find: async (profileId) => {
      const [row] = await sql.query<LaneRow>(`select ${columns} where profile_id = $1`, [profileId]);
      return row === undefined ? undefined : recordOf(row);
    },
    list: async (organizationId, profileIds) => {
      const rows = await sql.query<LaneRow>(
        `select ${columns} where profile_id = any ($1::uuid[]) and organization_id = $2 and not closed`,
        [profileIds, organizationId],
      );
      return rows.map(recordOf);
    },
    some: async (profileIds) => {
      const rows = await sql.query<LaneRow>(`select ${columns} where profile_id = any ($1::uuid[])`, [profileIds]);
      return rows.map(recordOf);
    },
    profilesWithWork: async () => (await sql.query<{ id: string }>(profilesWithWork)).map(({ id }) => id),
    setBack: async (profileIds, now) => {
      await sql.query(
        `update lanes set day = least(day, $2::date), handed_over_at = least(handed_over_at, $3)
         where profile_id = any ($1::uuid[])`,
        [profileIds, dayOf(now), new Date(now)],
      );
    },
    noteLeft: async (leases) => {
      await sql.query(noteLeft, [leases.map(({ key }) => key), leases.map(({ epoch }) => epoch)]);
    },
  };
}

function recordOf(row: LaneRow): LaneRecord {
  const { day, reserved, uncertain, sent } = row;
  return {
    profileId: row.profile_id,
    organizationId: row.organization_id,
    policy: {
      messageDelayMs: row.message_delay_ms,
      ...(row.daily_message_limit !== null && { dailyMessageLimit: row.daily_message_limit }),
    },
    closed: row.closed,
    count: { day, reserved, uncertain, sent, handedOverAt: row.handed_over_at?.getTime() ?? 0 },
    ...(row.left_epoch !== null && { leftEpoch: Number(row.left_epoch) }),
  };
}
