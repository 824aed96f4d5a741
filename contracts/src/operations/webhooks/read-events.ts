import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, pageQuery } from '../../shapes.ts';
import { ToldEvent } from './shapes.ts';

export const ReadEvents = operation({
  name: 'ReadEvents',
  owner: 'webhooks',
  method: 'GET',
  path: '/events',
  access: 'webhook:manage',
  tag: 'Events',
  summary: 'Read events',
  means:
    'Events of the organization in one order that never skips, kept for EVENT_RETENTION_DAYS. `nextCursor` is always there: ' +
    'give it as `after` to go on. `before=latest` shows the newest first, and goes back from there. A place (`after`, or `Last-Event-ID`) after which events were removed is 410: who has been away for ' +
    'longer has missed some, and begins again without it. As an event stream it is open a hundred times for an organization at most, at each gateway. With `wait` an empty answer is held back until something happens.',
  query: closed({
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          "`nextCursor` of the answer before, or an event's id. Absent: from the oldest kept. `latest`: from now on.",
      }),
    ),
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          "Events before this place, the newest first: `latest`, `nextCursor` of the answer before, or an event's id. Without `after` and `wait`, and not as an event stream.",
      }),
    ),
    limit: pageQuery.limit,
    wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30, default: 0, description: 'Seconds' })),
  }),
  answers: {
    200: {
      body: closed({
        items: Type.Array(ToldEvent),
        nextCursor: Type.String({ description: '`after` of the next read; after `before` the next `before`' }),
      }),
      means: 'Events after the cursor, oldest first; with `before` those before it, newest first.',
    },
  },
  errors: ['CURSOR_EXPIRED'],
  stream: { cursorQuery: 'after', waitQuery: 'wait', backQuery: 'before', idField: 'id', eventField: 'event' },
  timeoutMs: 45_000,
});
