import type { Sql } from '@messaging-gateway/service';
import type { LaneRecord } from '../lanes/lane.ts';

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
}

/** Lanes as they stand in the views. */
export interface LaneRecords {
  find(profileId: string): Promise<LaneRecord | undefined>;
  /** Those of an organization; closed and unknown ones are left out. */
  list(organizationId: string, profileIds: readonly string[]): Promise<LaneRecord[]>;
  /** Those that have something to send or to settle. */
  withWork(): Promise<LaneRecord[]>;
}

const columns = `policy.*, to_char(lane.day, 'YYYY-MM-DD') as day, lane.reserved, lane.uncertain, lane.sent, lane.handed_over_at
  from policies as policy join lanes as lane using (profile_id)`;

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
    withWork: async () => {
      const rows = await sql.query<LaneRow>(`select ${columns} where profile_id in (select profile_id from queue)`);
      return rows.map(recordOf);
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
  };
}
