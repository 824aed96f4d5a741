import { DescribeProfile, ReadSendingStates, type BroadcastForecast } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { isAway, Refused } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { ZoneCount } from '../forecast/crowd.ts';
import { forecast, type Sending } from '../forecast/forecast.ts';
import type { Audience } from './audience.ts';
import type { BroadcastRecords, BroadcastRow } from './broadcast-records.ts';
import { broadcastStream, hasEnded, isKnown, isPlanned, type KnownBroadcast } from './broadcast.ts';
import { listedPeople, tooMany, type FixingParts } from './fixing.ts';

export type ShownForecast = Static<typeof BroadcastForecast>;

/** Until when one waits for others; default: as long as they are given. */
type Asking = { readonly deadline?: number };
type Counted = Pick<BroadcastRow, 'total' | 'sent' | 'failed' | 'skipped' | 'open'>;

export interface ForecastingParts
  extends Pick<ServiceTools<unknown>, 'ask' | 'clock'>, Pick<FixingParts, 'suppressions' | 'maxRecipients'> {
  readonly store: EventStore;
  readonly records: BroadcastRecords;
  readonly audience: Audience;
}

/** Time of one send while nothing is known of it, milliseconds. */
const typicalSendMs = 500;
/** A forecast that goes along with something else waits so long for an answer, milliseconds. */
const soonMs = 2000;

/** Gathers what a forecast goes by. */
export class Forecasting {
  readonly #parts: ForecastingParts;

  constructor(parts: ForecastingParts) {
    this.#parts = parts;
  }

  /** @throws Refused VALIDATION_ERROR when it has more recipients than a broadcast may have */
  async of(row: BroadcastRow, state: KnownBroadcast, asking: Asking = {}): Promise<ShownForecast> {
    if (hasEnded(row.status))
      return { remaining: 0, endsAt: row.completed_at?.toISOString() ?? null, days: [], heldUpBy: [] };
    const now = this.#parts.clock.now();
    const [zones, gate, isConnected, rivals] = await Promise.all([
      isPlanned(state) ? this.#countNow(row, state, now) : this.#left(row),
      this.#gate(row, asking),
      this.#isConnected(row, asking),
      this.#rivals(row),
    ]);
    const sendMs = await this.#sendMs(row, state, rivals.length === 0 ? gate.messageDelayMs : Infinity);
    const { remaining, endsAt, days, heldUpBy } = forecast({
      ...gate,
      now,
      own: sending(row, state, zones, { now, sendMs }),
      onTheWay: row.open,
      rivals: rivals.map(([rival, of, left]) => sending(rival, of, left, { now, sendMs })),
      sendMs,
      isConnected,
    });
    return {
      remaining,
      endsAt: endsAt === undefined ? null : new Date(endsAt).toISOString(),
      days: [...days],
      heldUpBy: [...heldUpBy],
    };
  }

  /** Of one that has begun and goes on; null of others, and when those who know its profile do not answer soon. */
  async alongside(row: BroadcastRow, state: KnownBroadcast): Promise<ShownForecast | null> {
    if (row.status !== 'running' && row.status !== 'paused') return null;
    try {
      return await this.of(row, state, { deadline: this.#parts.clock.now() + soonMs });
    } catch (error) {
      if (isAway(error)) return null;
      throw error;
    }
  }

  async #left({ audience_id: audienceId, zones, ...row }: BroadcastRow): Promise<readonly ZoneCount[]> {
    if (audienceId === null) return [];
    const [zone] = zones;
    // All in one zone are counted already.
    const count = zone === undefined || zones.length > 1 ? undefined : stillPending(row);
    return this.#parts.audience.left(
      audienceId,
      zone !== undefined && count !== undefined ? { zone, count } : undefined,
    );
  }

  /** Recipients whom the broadcast would have if it started now. */
  async #countNow(
    { organization_id: organizationId }: BroadcastRow,
    { facts }: KnownBroadcast,
    now: number,
  ): Promise<readonly ZoneCount[]> {
    const { maxRecipients } = this.#parts;
    const found = new Map<string, ZoneCount>();
    // An organization that is erased has no recipients any more.
    if (typeof facts.recipients !== 'object') return [];
    let place = 0;
    for await (const page of listedPeople(this.#parts, organizationId, facts, new Date(now).toISOString())) {
      if (place + page.length > maxRecipients) throw tooMany(maxRecipients);
      for (const { zone, code } of page) {
        if (code === undefined) {
          const { count, first } = found.get(zone) ?? { count: 0, first: place };
          found.set(zone, { zone, count: count + 1, first, last: place });
        }
        place += 1;
      }
    }
    return [...found.values()];
  }

  async #gate({ organization_id: organizationId, profile_id: profileId }: BroadcastRow, asking: Asking) {
    const { items } = await this.#parts.ask(ReadSendingStates, { organizationId, profileIds: [profileId] }, asking);
    const { messageDelayMs = 0, dailyMessageLimit = null, dailyMessageCount = 0 } = items[0] ?? {};
    return { messageDelayMs, dailyLimit: dailyMessageLimit, usedToday: dailyMessageCount };
  }

  async #isConnected({ organization_id: organizationId, profile_id: profileId }: BroadcastRow, asking: Asking) {
    try {
      return (await this.#parts.ask(DescribeProfile, { organizationId, profileId }, asking)).status === 'connected';
    } catch (error) {
      if (error instanceof Refused && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  }

  /** Other broadcasts of the profile that send, or go on by themselves. */
  async #rivals({ profile_id: profileId, broadcast_id: broadcastId }: BroadcastRow) {
    const { records, store } = this.#parts;
    const rows = (await records.openOf(profileId)).filter(
      (row) => row.broadcast_id !== broadcastId && (row.status === 'running' || row.paused_reason === 'daily_limit'),
    );
    const rivals: (readonly [BroadcastRow, KnownBroadcast, readonly ZoneCount[]])[] = [];
    for (const row of rows) {
      const { state } = await store.load(broadcastStream, row.broadcast_id);
      if (isKnown(state)) rivals.push([row, state, await this.#left(row)]);
    }
    return rivals;
  }

  /**
   * As its own last messages have it, else those of the last broadcast of the profile. Where they may have waited for the gate,
   * the quickest count.
   *
   * @param waitMs at the gate, at most
   */
  async #sendMs(row: BroadcastRow, { facts }: KnownBroadcast, waitMs: number): Promise<number> {
    const { audience, records } = this.#parts;
    const own = row.audience_id === null ? undefined : await audience.sendingTimes(row.audience_id);
    if (own !== undefined) return facts.settings.delayMin >= waitMs ? own.usual : own.quick;
    const last = await records.lastAudienceOf(row.profile_id);
    const before = last === undefined ? undefined : await audience.sendingTimes(last);
    return before?.quick ?? typicalSendMs;
  }
}

/** Neither released nor left out. */
const stillPending = ({ total, sent, failed, skipped, open }: Counted): number =>
  total - sent - failed - skipped - open;

function sending(
  row: BroadcastRow,
  { facts }: KnownBroadcast,
  zones: readonly ZoneCount[],
  { now, sendMs }: { readonly now: number; readonly sendMs: number },
): Sending {
  const { delayMin, delayMax } = facts.settings;
  const times = [now, row.scheduled_at, row.next_at].map(Number);
  // The message that is on its way is settled first.
  if (row.held_by !== null) times.push(now + sendMs + (delayMin + delayMax) / 2);
  return { delayMin, delayMax, quietHours: facts.quietHours, zones, readyAt: Math.max(...times) };
}
