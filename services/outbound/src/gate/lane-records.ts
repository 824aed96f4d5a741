import type { Lease } from '@messaging-gateway/leases';
import type { Sql } from '@messaging-gateway/service';
import { dayOf } from '../time/clock.ts';
import type { SendingPolicy } from './sending-policy.ts';

/**
 * The places taken in a profile's day. The same fold stands in SQL in `send-gate.ts`; its other form there serves the lane's
 * memory, and a test compares the two.
 */
export interface GateCount {
  /** `YYYY-MM-DD` in Asia/Jakarta. */
  readonly day: string;
  /** Accepted and not handed over yet: moves to the new day at midnight. */
  readonly reserved: number;
  /** Handed over on this day, outcome unknown. */
  readonly uncertain: number;
  readonly sent: number;
  /** The last hand-over of the profile, milliseconds since 1970; 0: never. */
  readonly handedOverAt: number;
}

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
  /** Lanes of an organization; closed and unknown ones are left out. */
  list(organizationId: string, profileIds: readonly string[]): Promise<LaneRecord[]>;
  some(profileIds: readonly string[]): Promise<LaneRecord[]>;
  /** Profiles that have something to send or to settle. */
  profilesWithWork(): Promise<string[]>;
  /** Puts right what a clock that was ahead has counted for these lanes. @param now milliseconds since 1970 */
  setBack(profileIds: readonly string[], now: number): Promise<void>;
  /** Notes which owner gave a lane up in order: nothing was on its way, and the table says it all. */
  noteLeft(leases: readonly Pick<Lease, 'key' | 'epoch'>[]): Promise<void>;
}

const columns = `profile_id, policy.organization_id, policy.message_delay_ms, policy.daily_message_limit, policy.closed,
  to_char(lane.day, 'YYYY-MM-DD') AS day, lane.reserved, lane.uncertain, lane.sent,
  lane.handed_over_at, departure.epoch AS left_epoch
  FROM policies AS policy JOIN lanes AS lane USING (profile_id) LEFT JOIN departures AS departure USING (profile_id)`;

/** One step in the index for each profile, however many messages wait. */
const profilesWithWork = `
  WITH RECURSIVE profile(id) AS (
    (SELECT profile_id FROM queue ORDER BY profile_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.profile_id FROM queue AS q WHERE q.profile_id > profile.id ORDER BY q.profile_id LIMIT 1)
    FROM profile WHERE profile.id IS NOT NULL
  ) SELECT id FROM profile WHERE id IS NOT NULL`;

const noteLeft = `
  INSERT INTO departures (profile_id, epoch) SELECT given.profile_id, given.epoch FROM unnest($1::uuid[], $2::bigint[]) AS given(profile_id, epoch)
  ON CONFLICT (profile_id) DO UPDATE SET epoch = excluded.epoch`;

export function laneRecords(sql: Sql): LaneRecords {
  return {
    find: async (profileId) => {
      const [row] = await sql.query<LaneRow>(`SELECT ${columns} WHERE profile_id = $1`, [profileId]);
      return row === undefined ? undefined : recordOf(row);
    },
    list: async (organizationId, profileIds) => {
      const rows = await sql.query<LaneRow>(
        `SELECT ${columns} WHERE profile_id = ANY ($1::uuid[]) AND organization_id = $2 AND NOT closed`,
        [profileIds, organizationId],
      );
      return rows.map(recordOf);
    },
    some: async (profileIds) => {
      const rows = await sql.query<LaneRow>(`SELECT ${columns} WHERE profile_id = ANY ($1::uuid[])`, [profileIds]);
      return rows.map(recordOf);
    },
    profilesWithWork: async () => (await sql.query<{ id: string }>(profilesWithWork)).map(({ id }) => id),
    setBack: async (profileIds, now) => {
      await sql.query(
        `UPDATE lanes SET day = least(day, $2::date), handed_over_at = least(handed_over_at, $3)
         WHERE profile_id = ANY ($1::uuid[])`,
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
