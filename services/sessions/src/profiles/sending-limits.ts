import { isDeepStrictEqual } from 'node:util';
import { view, type Decider, type InlineView, type StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';
import { dayOf, nextDay } from './limit-day.ts';
import { profileStream } from './profile.ts';

export interface Warmup {
  readonly days: number;
  readonly from: number;
  readonly to: number;
}

/** Null: no limit. */
export interface SendingLimits {
  readonly strangerDailyLimit: number | null;
  readonly warmup: Warmup | null;
  readonly numberChecksPerDay: number | null;
}

export const defaultLimits: SendingLimits = { strangerDailyLimit: null, warmup: null, numberChecksPerDay: 1000 };

export type SendingLimitsEvent = {
  type: 'SendingLimitsSet';
  data: { readonly profileId: string; readonly limits: SendingLimits };
};

export interface SendingLimitsCommand {
  readonly type: 'SetSendingLimits';
  readonly profileId: string;
  /** Absent fields stay as they are. */
  readonly changes: { readonly [Field in keyof SendingLimits]?: SendingLimits[Field] | undefined };
}

const sendingLimits: Decider<SendingLimits, SendingLimitsCommand, SendingLimitsEvent> = {
  initial: defaultLimits,
  decide: ({ profileId, changes }, state) => {
    const {
      strangerDailyLimit = state.strangerDailyLimit,
      warmup = state.warmup,
      numberChecksPerDay = state.numberChecksPerDay,
    } = changes;
    const limits = { strangerDailyLimit, warmup, numberChecksPerDay };
    return isDeepStrictEqual(limits, state) ? [] : [{ type: 'SendingLimitsSet', data: { profileId, limits } }];
  },
  evolve: (_, { data: { limits } }) => limits,
};

/** `sending-limits-<profileId>`, separate from the stream of the profile, which processes of earlier versions read too. */
export const sendingLimitsStream: StreamType<SendingLimits, SendingLimitsCommand, SendingLimitsEvent> = {
  name: 'sending-limits',
  decider: sendingLimits,
  events: { SendingLimitsSet: { version: 1 } },
};

/** Limits of a profile, and when it was first linked, milliseconds since 1970; undefined: not yet. */
export interface LimitsRecord {
  readonly limits: SendingLimits;
  readonly linkedAt: number | undefined;
}

interface Row {
  readonly profile_id: string;
  readonly limits: SendingLimits | null;
  readonly linked_at: Date | null;
}

/** Profiles that were linked before this was recorded count from when they were made. */
export async function readSendingLimits(
  sql: Sql,
  profileIds: readonly string[],
): Promise<(profileId: string) => LimitsRecord> {
  const rows = await sql.query<Row>(
    `SELECT p.id AS profile_id, l.limits, coalesce(l.linked_at, CASE WHEN p.last_connected_at IS NOT NULL THEN p.created_at END) AS linked_at
       FROM profiles p LEFT JOIN sending_limits l ON l.profile_id = p.id WHERE p.id = ANY ($1::uuid[])`,
    [profileIds],
  );
  const records = new Map(rows.map((row) => [row.profile_id, row]));
  return (profileId) => {
    const row = records.get(profileId);
    return { limits: row?.limits ?? defaultLimits, linkedAt: row?.linked_at?.getTime() };
  };
}

/** The warm-up of a profile on the day of `now`. Undefined: none, not linked yet, or over. */
export function warmupOn(
  { limits: { warmup }, linkedAt }: LimitsRecord,
  now: number,
): { readonly day: number; readonly days: number; readonly strangers: number } | undefined {
  if (warmup === null || linkedAt === undefined) return undefined;
  const day = Math.round((nextDay(now) - nextDay(linkedAt)) / 86_400_000) + 1;
  const { days, from, to } = warmup;
  if (day > days) return undefined;
  const part = days === 1 ? 1 : (day - 1) / (days - 1);
  return { day, days, strangers: Math.round(from + (to - from) * part) };
}

/** Strangers to whom the profile may write on the day of `now`; undefined: no limit. */
export function strangersPerDay(record: LimitsRecord, now: number): number | undefined {
  const limits = [record.limits.strangerDailyLimit ?? Infinity, warmupOn(record, now)?.strangers ?? Infinity];
  const smallest = Math.min(...limits);
  return Number.isFinite(smallest) ? smallest : undefined;
}

interface NumberChecks {
  readonly organizationId: string;
  readonly profileId: string;
  readonly count: number;
  readonly now: number;
}

/**
 * Counts phone numbers that the network is asked about.
 *
 * @throws Refused RATE_LIMITED with `details.limit` when the profile would exceed its limit of the day
 */
export async function countNumberChecks(sql: Sql, { organizationId, profileId, count, now }: NumberChecks): Promise<void> {
  const limit = (await readSendingLimits(sql, [profileId]))(profileId).limits.numberChecksPerDay ?? 2_147_483_647;
  const rows = await sql.query(
    `INSERT INTO number_checks AS c (profile_id, organization_id, day, checks)
     SELECT $1::uuid, $2::uuid, $3::date, $4::int WHERE $4::int <= $5::int
     ON CONFLICT (profile_id) DO UPDATE SET day = excluded.day,
       checks = CASE WHEN c.day = excluded.day THEN c.checks ELSE 0 END + excluded.checks
       WHERE c.day <> excluded.day OR c.checks + excluded.checks <= $5::int
     RETURNING 1`,
    [profileId, organizationId, dayOf(now), count, limit],
  );
  if (rows.length > 0) return;
  const seconds = Math.ceil((nextDay(now) - now) / 1000);
  throw new Refused(
    'RATE_LIMITED',
    'The profile has asked the network about as many numbers as it may on a day.',
    { limit: 'numberChecks' },
    { 'Retry-After': String(seconds) },
  );
}

/** Phone numbers that the network was asked about on a day. */
export async function numberChecksOn(sql: Sql, profileId: string, day: string): Promise<number> {
  const [row] = await sql.query<{ checks: number }>(
    'SELECT checks FROM number_checks WHERE profile_id = $1 AND day = $2::date',
    [profileId, day],
  );
  return row?.checks ?? 0;
}

const tables = ['sending_limits'];

const limitsSet = view({
  name: 'sending limits set',
  tables,
  of: sendingLimitsStream,
  on: ['SendingLimitsSet'],
  rows: (events) =>
    events
      .map(({ data: { profileId, limits }, metadata: { organizationId } }) => ({ profileId, organizationId, limits }))
      .slice(-1),
  sql: `INSERT INTO {schema}.sending_limits (profile_id, organization_id, limits)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid, row->'limits' FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET limits = excluded.limits`,
});

const firstLinked = view({
  name: 'first links of profiles',
  tables,
  of: profileStream,
  on: ['Connected'],
  rows: (events) =>
    events
      .map(({ stream, data: { at }, metadata: { organizationId } }) => ({
        profileId: stream.slice('profile-'.length),
        organizationId,
        at,
      }))
      .slice(0, 1),
  sql: `INSERT INTO {schema}.sending_limits AS l (profile_id, organization_id, linked_at)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid,
      coalesce((SELECT created_at FROM {schema}.profiles WHERE id = (row->>'profileId')::uuid AND last_connected_at IS NOT NULL),
        (row->>'at')::timestamptz) FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET linked_at = excluded.linked_at WHERE l.linked_at IS NULL`,
});

const limitsOfDeleted = view({
  name: 'sending limits of deleted profiles',
  tables,
  of: profileStream,
  on: ['ProfileDeleted'],
  rows: (events) => events.map(({ data: { profileId } }) => ({ profileId })),
  sql: `DELETE FROM {schema}.sending_limits USING {rows} WHERE profile_id = (row->>'profileId')::uuid`,
});

export const sendingLimitsViews: readonly InlineView[] = [limitsSet, firstLinked, limitsOfDeleted];
