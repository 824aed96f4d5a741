import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../shapes.ts';

/** The organization, and profiles of it, whose things are counted. */
const whose = {
  organizationId: Id,
  profileIds: Type.Optional(
    Type.Array(Id, { description: 'Only those of these profiles. Absent: all of the organization' }),
  ),
};
/** Moments between which something was begun. */
const period = { from: Type.Optional(Timestamp), to: Type.Optional({ ...Timestamp, description: 'Not included' }) };

export const DescribeOrganization = internal({
  name: 'DescribeOrganization',
  owner: 'identity',
  means: 'The settings of an organization that others go by. NOT_FOUND when there is none.',
  body: closed({ organizationId: Id }),
  answer: closed({ timezone: Type.String({ description: 'IANA name' }) }),
});

export const CountProfiles = internal({
  name: 'CountProfiles',
  owner: 'sessions',
  means: 'How many profiles there are, and how many of them are connected. Those that were deleted do not count.',
  body: closed(whose),
  answer: closed({ total: Count, connected: Count }),
});

export const CountContacts = internal({
  name: 'CountContacts',
  owner: 'inbox',
  means:
    'How many contacts there are, those that history brought too, and how many of them were made between each two of the times that ' +
    'are given. Of profiles: without those of the whole organization.',
  body: closed({
    ...whose,
    times: Type.Array(Timestamp, { maxItems: 2000, description: 'In their order' }),
  }),
  answer: closed({
    total: Count,
    withTags: Count,
    topTags: Type.Array(closed({ tag: Type.String(), count: Count }), { description: 'Ten, by count, then name' }),
    before: { ...Count, description: 'Made before the first of the times' },
    made: Type.Array(Count, { description: 'From each time until the next one: one fewer than there are times' }),
  }),
});

export const CountBroadcasts = internal({
  name: 'CountBroadcasts',
  owner: 'campaigns',
  means: 'How many broadcasts were made, by their status, and what has become of their messages.',
  body: closed({ ...whose, ...period }),
  answer: closed({
    total: Count,
    byStatus: Type.Record(Type.String(), Count, { description: 'Those that there are' }),
    messages: closed({ total: Count, sent: Count, failed: Count, delivered: Count, read: Count }),
  }),
});

export const CountAutomations = internal({
  name: 'CountAutomations',
  owner: 'automation',
  means:
    'How many flows there are, and how often they have matched: by quarters of an hour, the one included that `from` lies in.',
  body: closed({ ...whose, ...period }),
  answer: closed({
    total: Count,
    enabled: Count,
    triggered: Count,
    succeeded: Count,
    failed: Count,
    top: Type.Array(closed({ id: Id, name: Type.String(), triggered: Count }), {
      description: 'The ten that matched most',
    }),
  }),
});

/** A stored message as statistics count it: nothing of what it says, nor of who wrote it. */
const CountedMessage = closed({
  organizationId: Id,
  messageId: Id,
  profileId: Id,
  conversationId: { ...Id, description: 'Which goes on, where it was joined with another one' },
  at: Timestamp,
  direction: oneOf(['incoming', 'outgoing']),
  isPrivate: Type.Boolean({ description: 'Between two, and not in a group' }),
  type: Type.String(),
  status: Type.String(),
  origin: nullable(Type.String({ description: 'Null: it came in' })),
  isCode: Type.Boolean({ description: 'A one-time code' }),
});

export const ListCountedMessages = internal({
  name: 'ListCountedMessages',
  owner: 'inbox',
  means:
    'Pages of the stored messages of all organizations that were ever told, in the order of their times: without history, and without what ' +
    'was cleared. Of a deleted message that it was sent, or received. Each page looks at `limit` messages, so it may hold fewer, or none, before the end.',
  body: closed({
    after: Type.Optional({ ...Id, description: '`next` of the page before; absent for the first' }),
    limit: Type.Integer({ minimum: 1, maximum: 5000 }),
  }),
  answer: closed({
    items: Type.Array(CountedMessage),
    next: nullable({ ...Id, description: 'Null at the end' }),
  }),
  timeoutMs: 30_000,
});
