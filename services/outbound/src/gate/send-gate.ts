import type { AnswerOf, DescribeProfile } from '@messaging-gateway/contracts';
import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import { isChange, type MessageEvent, messageStream } from '../message/message.ts';
import { dayOf } from '../time/clock.ts';
import type { GateCount, LaneRecord, LaneRecords } from './lane-records.ts';
import { endOf, type Restriction } from './restriction.ts';
import { policyStream, type SendingPolicy, type SendingPolicyApplied } from './sending-policy.ts';

/** Milliseconds. */
const recheckMs = 60_000;

/** The send gate of a lane: its profile's policy and the count of its day, as the row says them, followed by the journal. */
export class SendGate {
  readonly profileId: string;
  readonly organizationId: string;
  readonly #records: Pick<LaneRecords, 'find'>;
  readonly #clock: Pick<Clock, 'now'>;
  #policy: SendingPolicy;
  #closed: boolean;
  #count: GateCount;
  #restriction: Restriction | undefined;
  /** When sessions is to be asked again whether the account is still restricted, milliseconds since 1970. */
  #recheckAt = 0;
  #strangersPerDay: number | undefined;
  /** The day for which the limit for strangers was read. */
  #limitsDay: string | undefined;
  #refreshing: Promise<unknown> = Promise.resolve();

  constructor(
    { profileId, organizationId, policy, closed, count }: LaneRecord,
    records: Pick<LaneRecords, 'find'>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.profileId = profileId;
    this.organizationId = organizationId;
    this.#records = records;
    this.#clock = clock;
    this.#policy = policy;
    this.#closed = closed;
    this.#count = notAhead(count, clock.now());
  }

  get policy(): SendingPolicy {
    return this.#policy;
  }
  get isClosed(): boolean {
    return this.#closed;
  }
  get count(): GateCount {
    return this.#count;
  }
  /** The next message waits for the record of this one: the delay holds over a crash, and the count of the day is exact. */
  get waitsForRecord(): boolean {
    return this.#policy.messageDelayMs > 0 || this.#policy.dailyMessageLimit !== undefined;
  }
  /** Milliseconds since 1970. One more, because times are whole milliseconds: never earlier. */
  get opensAt(): number {
    const { messageDelayMs } = this.#policy;
    const { handedOverAt } = this.#count;
    return messageDelayMs === 0 || handedOverAt === 0 ? 0 : handedOverAt + messageDelayMs + 1;
  }

  /** The restriction of the account as it is known here, if it is in force at `now`. */
  restrictionAt(now: number): Restriction | undefined {
    return this.#restriction !== undefined && now < endOf(this.#restriction) ? this.#restriction : undefined;
  }

  /** Whether it is time to ask sessions whether the account is still restricted, should the notification have been missed. */
  isRecheckDue(now: number): boolean {
    return this.restrictionAt(now) !== undefined && now >= this.#recheckAt;
  }

  /** Strangers to whom the profile may write on a day; undefined: no limit. */
  get strangersPerDay(): number | undefined {
    return this.#strangersPerDay;
  }

  /** Whether the limit for strangers was read today. */
  knowsLimits(now: number): boolean {
    return this.#limitsDay === dayOf(now);
  }

  /** The limit for strangers is read again before the next hand-over. */
  forgetLimits(): void {
    this.#limitsDay = undefined;
  }

  /** Sessions described the profile. */
  describe({ restriction, strangersPerDay }: Pick<AnswerOf<typeof DescribeProfile>, 'restriction' | 'strangersPerDay'>): void {
    this.restrict(restriction);
    this.#strangersPerDay = strangersPerDay;
    this.#limitsDay = dayOf(this.#clock.now());
  }

  /** Sessions reported a restriction; undefined: the account is not restricted. @returns whether that changed */
  restrict(restriction: Restriction | undefined): boolean {
    const before = this.#restriction;
    this.#restriction = restriction;
    this.#recheckAt = this.#clock.now() + recheckMs;
    return before?.until !== restriction?.until;
  }

  isOverLimit(now: number): boolean {
    const { dailyMessageLimit } = this.#policy;
    return dailyMessageLimit !== undefined && handedOver(this.#count, dayOf(now)) >= dailyMessageLimit;
  }

  /** Takes in an event of a message of the lane. */
  apply(event: MessageEvent): void {
    const change = gateChangeOf(event);
    if (change !== undefined) this.#count = applyChange(this.#count, change);
  }

  /** A message was handed over. @param at milliseconds since 1970 */
  handedOver(at: number): void {
    this.#count = { ...this.#count, handedOverAt: Math.max(this.#count.handedOverAt, at) };
  }

  /** Reads policy and closing anew. One reading at a time: an older one never comes last. */
  refresh(): Promise<LaneRecord | undefined> {
    const reading = this.#refreshing.then(async () => {
      const record = await this.#records.find(this.profileId);
      if (record !== undefined) this.#policy = record.policy;
      this.#closed ||= record?.closed === true;
      return record;
    });
    this.#refreshing = reading.catch(() => undefined);
    return reading;
  }

  /** Reads the count anew; for a moment when nothing of the lane is on its way to it, but for what is being accepted. */
  async recount(): Promise<void> {
    const record = await this.#records.find(this.profileId);
    if (record !== undefined)
      this.#count = { ...notAhead(record.count, this.#clock.now()), reserved: this.#count.reserved };
  }
}

/** Changes of a gate's counts by one event. `uncertain` and `sent` count only for their own day. */
export interface GateChange {
  readonly profileId: string;
  readonly day: string;
  readonly reserved: number;
  readonly uncertain: number;
  readonly sent: number;
  readonly handedOverAt?: string;
}

export const emptyCount = (day: string): GateCount => ({ day, reserved: 0, uncertain: 0, sent: 0, handedOverAt: 0 });

/** At midnight the counters start anew; what is reserved moves along. */
export const rollTo = (count: GateCount, day: string): GateCount =>
  day > count.day ? { ...count, day, uncertain: 0, sent: 0 } : count;

/** So far two clocks may be apart, milliseconds. */
const clocksDiffer = 5000;

/** Whether a clock that was ahead has counted: nothing of it is later than the last hand-over. */
export const isAhead = ({ day, handedOverAt }: GateCount, now: number): boolean =>
  handedOverAt > now + clocksDiffer || day > dayOf(now + clocksDiffer);

/** Counts of a clock that was ahead, moved to today: the gate opens after its delay, and the day's limit holds. */
const notAhead = (count: GateCount, now: number): GateCount =>
  isAhead(count, now) ? { ...count, day: dayOf(now), handedOverAt: Math.min(count.handedOverAt, now) } : count;

export function applyChange(before: GateCount, change: GateChange): GateCount {
  const count = rollTo(before, change.day);
  const ofToday = change.day === count.day;
  return {
    day: count.day,
    reserved: count.reserved + change.reserved,
    uncertain: count.uncertain + (ofToday ? change.uncertain : 0),
    sent: count.sent + (ofToday ? change.sent : 0),
    handedOverAt: Math.max(count.handedOverAt, change.handedOverAt === undefined ? 0 : Date.parse(change.handedOverAt)),
  };
}

/** Sent plus reserved: `count` of the 429. */
export const placesTaken = (count: GateCount, day: string): number => {
  const today = rollTo(count, day);
  return today.reserved + today.uncertain + today.sent;
};

/** Messages handed over on a day, whether or not their outcome is known. */
export const handedOver = (count: GateCount, day: string): number => {
  const today = rollTo(count, day);
  return today.uncertain + today.sent;
};

/** The change that an event makes; undefined: none, as with all events of a reaction or a deletion. */
export function gateChangeOf({ type, data }: MessageEvent): GateChange | undefined {
  if ('type' in data && isChange(data.type)) return undefined;
  const { profileId } = data;
  const none = { profileId, reserved: 0, uncertain: 0, sent: 0 };
  switch (type) {
    case 'MessageAccepted':
      return { ...none, day: data.day, reserved: 1 };
    case 'MessageSent':
      return { ...none, day: data.place.day, [data.place.kind]: -1, sent: 1, handedOverAt: data.handedOverAt };
    case 'OutcomeLost':
      return { ...none, day: data.day, reserved: -1, uncertain: 1, handedOverAt: data.handedOverAt };
    case 'DeliveryAttemptFailed':
      return data.handedOverAt === undefined ? undefined : { ...none, day: data.day, handedOverAt: data.handedOverAt };
    case 'MessageFailed': {
      const handed = data.handedOverAt === undefined ? {} : { handedOverAt: data.handedOverAt };
      return { ...none, day: data.place.day, [data.place.kind]: -1, ...handed };
    }
    case 'SettlementAbandoned':
    case 'ReceiptRecorded':
      return undefined;
  }
}

/** The lane's row is made with its first policy; the day is long past, so that it counts for nothing. */
function changeOf(event: RecordedAs<MessageEvent | SendingPolicyApplied>): GateChange | undefined {
  if (event.type !== 'SendingPolicyApplied') return gateChangeOf(event);
  return { profileId: event.data.profileId, day: '1970-01-01', reserved: 0, uncertain: 0, sent: 0 };
}

/**
 * The gate's count per profile: what `applyChange` does, in SQL. All changes of a batch to one lane become one row,
 * because a statement changes a row only once. Rows of a day that is over when the batch is written count for nothing.
 */
export const lanesView = view({
  name: 'lanes',
  of: [messageStream, policyStream],
  on: [
    'SendingPolicyApplied',
    'MessageAccepted',
    'MessageSent',
    'OutcomeLost',
    'DeliveryAttemptFailed',
    'MessageFailed',
  ],
  rows: (events) => events.flatMap((event) => changeOf(event) ?? []),
  tables: ['lanes'],
  sql: `
    INSERT INTO {schema}.lanes AS lane (profile_id, day, reserved, uncertain, sent, handed_over_at)
    SELECT profile_id, last_day, sum(reserved), coalesce(sum(uncertain) FILTER (WHERE day = last_day), 0),
      coalesce(sum(sent) FILTER (WHERE day = last_day), 0), max(handed_over_at)
    FROM (
      SELECT (row->>'profileId')::uuid AS profile_id, (row->>'day')::date AS day, (row->>'reserved')::int AS reserved,
        (row->>'uncertain')::int AS uncertain, (row->>'sent')::int AS sent, (row->>'handedOverAt')::timestamptz AS handed_over_at,
        max((row->>'day')::date) OVER (PARTITION BY row->>'profileId') AS last_day
      FROM {rows}
    ) AS change
    GROUP BY profile_id, last_day
    ORDER BY profile_id
    ON CONFLICT (profile_id) DO UPDATE SET
      day = greatest(lane.day, excluded.day),
      reserved = lane.reserved + excluded.reserved,
      uncertain = CASE WHEN excluded.day > lane.day THEN 0 ELSE lane.uncertain END
        + CASE WHEN excluded.day < lane.day THEN 0 ELSE excluded.uncertain END,
      sent = CASE WHEN excluded.day > lane.day THEN 0 ELSE lane.sent END
        + CASE WHEN excluded.day < lane.day THEN 0 ELSE excluded.sent END,
      handed_over_at = greatest(lane.handed_over_at, excluded.handed_over_at)`,
});

/** The owner of each lane and the policy of its gate. Kept when the lane is closed, so that nothing is accepted for it. */
export const policiesView = view({
  name: 'policies',
  of: policyStream,
  on: ['SendingPolicyApplied', 'LaneClosed'],
  rows: (events) => events.map(({ type, data }) => ({ ...data, closed: type === 'LaneClosed' })),
  tables: ['policies'],
  sql: `
    INSERT INTO {schema}.policies (profile_id, organization_id, message_delay_ms, daily_message_limit, closed)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid, (row->>'messageDelayMs')::int,
      (row->>'dailyMessageLimit')::int, (row->>'closed')::boolean
    FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET message_delay_ms = excluded.message_delay_ms,
      daily_message_limit = excluded.daily_message_limit, closed = excluded.closed`,
});
