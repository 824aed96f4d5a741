import { serverNow } from '../../api/clock.ts';
import { dayIn, daysAfter, ownZone, type Granularity } from '../../charts/buckets.ts';

/** Days that are shown first. */
const shownDays = 30;
export const granularities = ['hour', 'day', 'week'] as const satisfies readonly Granularity[];

/** What the fields hold first: the last thirty days, by the zone of this browser. */
export function firstFields() {
  const timezone = ownZone();
  const today = dayIn(timezone, serverNow());
  return {
    profileId: '',
    from: daysAfter(today, 1 - shownDays),
    to: today,
    granularity: 'day' as string,
    timezone,
    include: '',
  };
}

/** What is asked of all that has a period; the last day is counted whole. */
export function periodOf({ profileId, from, to, timezone }: ReturnType<typeof firstFields>) {
  return {
    timezone,
    ...(profileId !== '' && { profileId }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to: daysAfter(to, 1) }),
  };
}

export type Period = ReturnType<typeof periodOf>;
/** How buckets are counted and named. */
export interface Buckets {
  readonly period: Period;
  readonly granularity: Granularity;
}
