import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, nullable, pageQuery, Id, Timestamp } from '../../shapes.ts';

/** An event as it is told to people who look on. */
const LiveEvent = closed(
  {
    id: Id,
    event: Type.String({ description: 'Kind of the event' }),
    timestamp: Timestamp,
    profileId: nullable(Id),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'LiveEvent' },
);

export const ReadLive = operation({
  name: 'ReadLive',
  owner: 'webhooks',
  method: 'GET',
  path: '/live',
  access: 'own',
  tag: 'Events',
  summary: 'Follow what happens',
  means:
    'What happens in the organization, for pages that show it, mostly as an event stream: those events that the permissions and profiles of the credential allow, in one order. ' +
    'Beside the kinds of `GET /events` these, which webhooks are not told: `conversation.updated` (read, archived, muted, pinned, cleared, deleted, joined, by whomever), ' +
    '`broadcast.updated` (another status), `bulk.progress`, `broadcast.progress` and `import.progress` (each at most once a second), and `notification.created` (for its reader alone). ' +
    'Message events need `message:read`, `connection.qr` needs `profile:connect`, others the permission to read the thing. ' +
    '`event: heartbeat` comes every 10 seconds when nothing else does; its `id` is a place to go on from, too. Kept as long as events are: a place after which ' +
    'events were removed is 410. A credential has 20 such streams open at each gateway at most, an organization 1000.',
  query: closed({
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "`nextCursor` of the answer before, or an event's id. Absent or `latest`: from now on.",
      }),
    ),
    limit: pageQuery.limit,
    wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30, default: 0, description: 'Seconds' })),
  }),
  answers: {
    200: {
      body: closed({
        items: Type.Array(LiveEvent),
        nextCursor: Type.String({ description: '`after` of the next read' }),
      }),
      means: 'Events after the cursor, oldest first.',
    },
  },
  errors: ['CURSOR_EXPIRED'],
  stream: {
    cursorQuery: 'after',
    waitQuery: 'wait',
    idField: 'id',
    eventField: 'event',
    heartbeat: true,
    atMost: { organization: 1000, credential: 20 },
  },
  timeoutMs: 45_000,
});
