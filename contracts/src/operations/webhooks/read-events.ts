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
    'give it as `after` to go on. A place (`after`, or `Last-Event-ID`) after which events were removed is 410: who has been away for ' +
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
    limit: pageQuery.limit,
    wait: Type.Optional(Type.Number({ minimum: 0, maximum: 30, default: 0, description: 'Seconds' })),
  }),
  answers: {
    200: {
      body: closed({
        items: Type.Array(ToldEvent),
        nextCursor: Type.String({ description: '`after` of the next read' }),
      }),
      means: 'Events after the cursor, oldest first.',
    },
  },
  errors: ['CURSOR_EXPIRED'],
  stream: { cursorQuery: 'after', waitQuery: 'wait', idField: 'id', eventField: 'event' },
  timeoutMs: 45_000,
});
