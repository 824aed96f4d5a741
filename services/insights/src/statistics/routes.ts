import { wallInstant } from '@messaging-gateway/runtime';
import {
  CountAutomations,
  CountBroadcasts,
  CountContacts,
  CountProfiles,
  messageStatuses,
  storedTypes,
  type GetAutomationStatistics,
  type GetBroadcastStatistics,
  type GetContactStatistics,
  type GetDashboard,
  type GetMessageStatistics,
  type GetMessageTrend,
  type GetResponseTime,
  type Operation,
} from '@messaging-gateway/contracts';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askingFor, periodOf, scopeOf, type Period, type Scope } from './periods/asked.ts';
import { bucketsOf } from './periods/buckets.ts';
import { beginningOf, dateAt } from './periods/zone.ts';
import {
  countActive,
  countAll,
  countFlow,
  countKinds,
  countWaits,
  waitsByQuarter,
  type CountedKind,
  type QuarterOfWaits,
  type Waits,
} from './views/counting.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'ask'>;
/** The body of a route's answer. */
type Shown<O extends Operation> = Static<NonNullable<O['answers'][200]['body']>>;

const isoOf = (time: number): string => new Date(time).toISOString();

/** Organization and profiles, as other services are asked for them. */
const whoseOf = ({ organizationId, profileIds }: Scope) => ({
  organizationId,
  ...(profileIds !== undefined && { profileIds: [...profileIds] }),
});
const whenOf = ({ from, to }: Period) => ({ from: isoOf(from), to: isoOf(to) });

/** Profiles, contacts and broadcasts are counted by those who have them, at this moment. */
export async function dashboard(
  tools: Tools,
  input: InputOf<typeof GetDashboard>,
): Promise<Shown<typeof GetDashboard>> {
  const { sql, clock } = tools;
  const ask = askingFor(tools, input.context);
  const scope = await scopeOf(ask, input);
  const whose = whoseOf(scope);
  const now = clock.now();
  const today = beginningOf(scope.zone, dateAt(scope.zone, now));
  const [profiles, contacts, broadcasts, all, [since]] = await Promise.all([
    ask(CountProfiles, whose),
    ask(CountContacts, { ...whose, times: [] }),
    ask(CountBroadcasts, whose),
    countAll(sql, scope),
    countFlow(sql, scope, { from: today, to: now + 1 }, [today]),
  ]);
  return {
    profiles,
    messages: {
      total: all.incoming + all.outgoing,
      today: (since?.incoming ?? 0) + (since?.outgoing ?? 0),
      incoming: all.incoming,
      outgoing: all.outgoing,
    },
    contacts: { total: contacts.total },
    broadcasts: { total: broadcasts.total, running: broadcasts.byStatus['running'] ?? 0 },
  };
}

export async function messageStatistics(
  tools: Tools,
  input: InputOf<typeof GetMessageStatistics>,
): Promise<Shown<typeof GetMessageStatistics>> {
  const scope = await scopeOf(askingFor(tools, input.context), input);
  const kinds = await countKinds(tools.sql, scope, periodOf(input.query, scope.zone, tools.clock.now()));
  return {
    total: sumOf(kinds),
    byDirection: by(kinds, ['incoming', 'outgoing'], ({ direction }) => direction),
    byType: by(kinds, storedTypes, ({ type }) => type),
    byStatus: by(kinds, messageStatuses, ({ status }) => status),
  };
}

const sumOf = (kinds: readonly CountedKind[]): number => kinds.reduce((so, { count }) => so + count, 0);

/** A number for each word, 0 where there are none. */
const by = <const Words extends readonly string[]>(
  kinds: readonly CountedKind[],
  words: Words,
  of: (kind: CountedKind) => string,
): Record<Words[number], number> =>
  Object.fromEntries(words.map((word) => [word, sumOf(kinds.filter((kind) => of(kind) === word))])) as Record<
    Words[number],
    number
  >;

export async function messageTrend(
  tools: Tools,
  input: InputOf<typeof GetMessageTrend>,
): Promise<Shown<typeof GetMessageTrend>> {
  const { granularity = 'day' } = input.query;
  const scope = await scopeOf(askingFor(tools, input.context), input);
  const period = periodOf(input.query, scope.zone, tools.clock.now(), granularity);
  const begins = bucketsOf(scope.zone, granularity, period.from, period.to);
  const flow = await countFlow(tools.sql, scope, period, begins);
  return { items: flow.map((one, index) => ({ period: isoOf(begins[index] as number), ...one })) };
}

export async function contactStatistics(
  tools: Tools,
  input: InputOf<typeof GetContactStatistics>,
): Promise<Shown<typeof GetContactStatistics>> {
  const { granularity = 'day' } = input.query;
  const ask = askingFor(tools, input.context);
  const scope = await scopeOf(ask, input);
  const period = periodOf(input.query, scope.zone, tools.clock.now(), granularity);
  const begins = bucketsOf(scope.zone, granularity, period.from, period.to);
  // The first bucket counts from the beginning of the period, the last until its end.
  const times = begins.length === 0 ? [] : [period.from, ...begins.slice(1), period.to];
  const [counted, active] = await Promise.all([
    ask(CountContacts, { ...whoseOf(scope), times: times.map(isoOf) }),
    countActive(tools.sql, scope, period),
  ]);
  const { total, withTags, topTags, before, made } = counted;
  let so = before;
  return {
    total,
    withTags,
    withoutTags: total - withTags,
    topTags,
    new: begins.map((begin, index) => ({ period: isoOf(begin), count: made[index] ?? 0 })),
    growth: begins.map((begin, index) => ({ period: isoOf(begin), total: (so += made[index] ?? 0) })),
    active,
  };
}

export async function broadcastStatistics(
  tools: Tools,
  input: InputOf<typeof GetBroadcastStatistics>,
): Promise<Shown<typeof GetBroadcastStatistics>> {
  const ask = askingFor(tools, input.context);
  const scope = await scopeOf(ask, input);
  const period = periodOf(input.query, scope.zone, tools.clock.now());
  const { total, byStatus, messages } = await ask(CountBroadcasts, { ...whoseOf(scope), ...whenOf(period) });
  const { total: recipients, ...counts } = messages;
  const rate = (count: number): number | null => (recipients === 0 ? null : count / recipients);
  return {
    total,
    byStatus: { draft: 0, scheduled: 0, running: 0, paused: 0, completed: 0, cancelled: 0, failed: 0, ...byStatus },
    messages: counts,
    rates: {
      sent: rate(counts.sent),
      failed: rate(counts.failed),
      delivered: rate(counts.delivered),
      read: rate(counts.read),
    },
  };
}

export async function automationStatistics(
  tools: Tools,
  input: InputOf<typeof GetAutomationStatistics>,
): Promise<Shown<typeof GetAutomationStatistics>> {
  const ask = askingFor(tools, input.context);
  const scope = await scopeOf(ask, input);
  const period = periodOf(input.query, scope.zone, tools.clock.now());
  return ask(CountAutomations, { ...whoseOf(scope), ...whenOf(period) });
}

/** Profiles that are shown, at most. */
const mostProfiles = 200;

export async function responseTime(
  tools: Tools,
  input: InputOf<typeof GetResponseTime>,
): Promise<Shown<typeof GetResponseTime>> {
  const { sql, clock } = tools;
  const scope = await scopeOf(askingFor(tools, input.context), input);
  const period = periodOf(input.query, scope.zone, clock.now());
  const withAutomatic = input.query.include === 'automation';
  const [waits, quarters] = await Promise.all([
    countWaits(sql, scope, period, withAutomatic),
    waitsByQuarter(sql, scope, period, withAutomatic),
  ]);
  const all = waits.find(({ profileId }) => profileId === null);
  const most = (one: Waits, other: Waits): number => other.count - one.count;
  return {
    count: all?.count ?? 0,
    average: rounded(all?.average),
    median: rounded(all?.median),
    p95: rounded(all?.p95),
    byHour: byHour(scope.zone, quarters),
    profiles: waits
      .filter((row): row is Waits & { profileId: string } => row.profileId !== null)
      .toSorted(most)
      .slice(0, mostProfiles)
      .map(({ profileId, count, average, median, p95 }) => ({
        profileId,
        count,
        average: rounded(average),
        median: rounded(median),
        p95: rounded(p95),
      })),
  };
}

/** To the millisecond. */
const rounded = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : Math.round(seconds * 1000) / 1000;

/** Averages by the hour of the day. */
function byHour(zone: string, quarters: readonly QuarterOfWaits[]): (number | null)[] {
  const hours = Array.from({ length: 24 }, () => ({ count: 0, seconds: 0 }));
  for (const { quarter, count, seconds } of quarters) {
    const hour = hours[new Date(wallInstant(zone, quarter.getTime())).getUTCHours()];
    if (hour === undefined) continue;
    hour.count += count;
    hour.seconds += seconds;
  }
  return hours.map(({ count, seconds }) => (count === 0 ? null : rounded(seconds / count)));
}
