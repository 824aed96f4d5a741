import { Type } from 'typebox';
import { storedTypes } from '../../../content/index.ts';
import { Count, Id, Timestamp, closed, messageStatuses, nullable, oneOf } from '../../../shapes.ts';

const moment = (description: string) => Type.Optional(Type.String({ format: 'moment', maxLength: 40, description }));

/** Which messages are counted. */
const profile = {
  profileId: Type.Optional({
    ...Id,
    description: 'Only this profile. Absent: all; of an API key that is limited to some, those',
  }),
};
const zone = {
  timezone: Type.Optional(
    Type.String({
      format: 'timezone',
      maxLength: 64,
      description: 'IANA name, by which days and weeks are counted. Default: that of the organization',
    }),
  ),
};

const granularities = ['hour', 'day', 'week'] as const;

/** Query of what has no period. */
export const wholeTimeQuery = closed({ ...profile, ...zone });

const period = {
  ...profile,
  from: moment('A time, or a date: its midnight in the time zone. Default: 30 days before `to`'),
  to: moment('Not included. Default: now'),
  ...zone,
};

/** Query of counts in a period. */
export const periodQuery = closed(period);

/** Query of counts by the buckets of a period. */
export const bucketsQuery = closed({
  ...period,
  granularity: Type.Optional(
    oneOf(granularities, {
      description: 'Default `day`. Weeks begin on Monday. At most 400 days, with `hour` 31',
    }),
  ),
});

/** Query of response times. */
export const responseTimeQuery = closed({
  ...period,
  include: Type.Optional(
    oneOf(['automation'], { description: '`automation`: what answered by itself counts as an answer too' }),
  ),
});

const Period = { ...Timestamp, description: 'Beginning of the bucket, UTC' };
const many = (description: string) => Type.Integer({ minimum: 0, description });
/** A number for each bucket. */
const CountOfPeriod = closed({ period: Period, count: Count });

const countsOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  closed(
    Object.fromEntries(words.map((word) => [word, many(`How many: ${word}`)])) as Record<Words[number], typeof Count>,
    { description },
  );

export const StatisticsDashboard = closed(
  {
    profiles: closed(
      { total: Count, connected: many('Profiles that are connected now') },
      { description: 'Profiles that there are' },
    ),
    messages: closed({
      total: Count,
      today: many('Since midnight in the time zone'),
      incoming: many('Messages that came in'),
      outgoing: many('Messages that went out, by whom ever'),
    }),
    contacts: closed({ total: Count }),
    broadcasts: closed(
      { total: Count, running: many('Broadcasts that go out now') },
      { description: 'Broadcasts that there are' },
    ),
  },
  { title: 'StatisticsDashboard' },
);

export const MessageStatistics = closed(
  {
    total: Count,
    byDirection: countsOf(['incoming', 'outgoing'], 'By whether they came in or went out'),
    byType: countsOf(storedTypes, 'By type'),
    byStatus: countsOf(messageStatuses, 'By how far they have come'),
  },
  { title: 'MessageStatistics' },
);

export const MessageTrend = closed(
  {
    items: Type.Array(
      closed({
        period: Period,
        incoming: many('Messages that came in'),
        outgoing: many('Messages that went out, by whom ever'),
      }),
    ),
  },
  { title: 'MessageTrend' },
);

export const ContactStatistics = closed(
  {
    total: { ...Count, description: 'Now, those that history brought too' },
    withTags: many('Contacts that have any tag'),
    withoutTags: many('Contacts that have none'),
    topTags: Type.Array(closed({ tag: Type.String({ description: 'The tag' }), count: Count }), {
      description: 'The ten that most contacts have',
    }),
    new: Type.Array(CountOfPeriod, { description: 'Made in each bucket, as far as they are still there' }),
    growth: Type.Array(closed({ period: Period, total: Count }), {
      description: 'How many of those that are still there had been made by the end of each bucket',
    }),
    active: { ...Count, description: 'Private chats in which somebody wrote to us in the period' },
  },
  { title: 'ContactStatistics' },
);

const Rate = nullable(Type.Number({ minimum: 0, description: 'Part of all recipients; null: there are none' }));

export const BroadcastStatistics = closed(
  {
    total: Count,
    byStatus: countsOf(
      ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed'],
      'Broadcasts by their status',
    ),
    messages: closed({
      sent: many('Messages that left'),
      failed: many('What failed'),
      delivered: many('Messages that arrived, read ones too'),
      read: many('Messages that were read or played'),
    }),
    rates: closed(
      { sent: Rate, failed: Rate, delivered: Rate, read: Rate },
      { description: 'The same as parts of all recipients' },
    ),
  },
  { title: 'BroadcastStatistics' },
);

export const AutomationStatistics = closed(
  {
    total: Count,
    enabled: many('Flows that are switched on'),
    triggered: many('How often flows matched'),
    succeeded: many('Runs that were completed'),
    failed: many('What failed'),
    top: Type.Array(closed({ id: Id, name: Type.String(), triggered: many('How often flows matched') }), {
      description: 'The ten flows that matched most',
    }),
  },
  { title: 'AutomationStatistics' },
);

const Seconds = nullable(Type.Number({ minimum: 0, description: 'Seconds; null: nothing was answered' }));

export const ResponseTimeStatistics = closed(
  {
    count: { ...Count, description: 'Answers' },
    average: Seconds,
    median: Seconds,
    p95: Seconds,
    byHour: Type.Array(Seconds, {
      minItems: 24,
      maxItems: 24,
      description: 'Average of the answers that were given in each hour of the day, from 0 to 23, in the time zone',
    }),
    profiles: Type.Array(closed({ profileId: Id, count: Count, average: Seconds, median: Seconds, p95: Seconds }), {
      description: 'Of each profile that has answered, those with most answers first; 200 at most',
    }),
  },
  { title: 'ResponseTimeStatistics' },
);
