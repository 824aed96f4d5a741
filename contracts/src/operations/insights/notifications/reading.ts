import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed, page, pageQuery } from '../../../shapes.ts';
import { Counted, Notification, notificationExample, NotificationType } from './shapes.ts';

const common = { owner: 'insights', tag: 'Notifications', access: 'own', errors: ['UNAUTHORIZED'] } as const;
const whose =
  "The caller's own; an API key acts for its maker, and meets only what is about profiles and permissions that it has.";

export const ListNotifications = operation({
  ...common,
  name: 'ListNotifications',
  method: 'GET',
  path: '/notifications',
  summary: 'List notifications',
  means:
    `${whose} The newest first; kept for NOTIFICATION_RETENTION_DAYS, a thousand at most. As an event stream ` +
    '(`Accept: text/event-stream`), or with `after` or `wait`: what is told after that place, the oldest first, also those whose count has ' +
    'grown; without `after` from now on. As a stream it is open a hundred times for an organization at most, at each gateway.',
  query: closed({
    ...pageQuery,
    unread: Type.Optional(Type.Boolean({ description: '`true`: unread ones only; `false`: read ones only' })),
    type: Type.Optional(NotificationType),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A place: `nextCursor` of the read before, or the `id` line of a stream (`Last-Event-ID`)',
      }),
    ),
    wait: Type.Optional(
      Type.Number({ minimum: 0, maximum: 30, description: 'Seconds to wait when there is nothing yet' }),
    ),
  }),
  answers: {
    200: {
      body: page(Notification),
      means: 'A page of them.',
      example: { items: [notificationExample], nextCursor: null, total: 1 },
    },
  },
  stream: { cursorQuery: 'after', waitQuery: 'wait', idField: 'place', idOnly: true },
  timeoutMs: 45_000,
});

export const CountUnreadNotifications = operation({
  ...common,
  name: 'CountUnreadNotifications',
  method: 'GET',
  path: '/notifications/unread-count',
  summary: 'Count unread notifications',
  means: whose,
  answers: { 200: { body: Counted, means: 'How many are unread.', example: { count: 3 } } },
});

export const ReadNotification = operation({
  ...common,
  name: 'ReadNotification',
  method: 'PATCH',
  path: '/notifications/:id/read',
  audit: false,
  summary: 'Mark a notification read',
  means: `${whose} What comes in the same chat afterwards is a new notification.`,
  params: closed({ id: Id }),
  answers: {
    200: { body: Notification, means: 'It is read.', example: { ...notificationExample, read: true } },
  },
  errors: ['UNAUTHORIZED', 'NOT_FOUND'],
});

export const ReadAllNotifications = operation({
  ...common,
  name: 'ReadAllNotifications',
  method: 'PATCH',
  path: '/notifications/read-all',
  audit: false,
  summary: 'Mark all notifications read',
  means: whose,
  answers: {
    200: {
      body: closed({ updated: Type.Integer({ minimum: 0, description: 'How many were unread' }) }),
      means: 'All are read.',
      example: { updated: 3 },
    },
  },
});

export const DeleteNotification = operation({
  ...common,
  name: 'DeleteNotification',
  method: 'DELETE',
  path: '/notifications/:id',
  audit: false,
  summary: 'Delete a notification',
  means: whose,
  params: closed({ id: Id }),
  answers: { 204: { means: 'It is gone.' } },
  errors: ['UNAUTHORIZED', 'NOT_FOUND'],
});

export const DeleteAllNotifications = operation({
  ...common,
  name: 'DeleteAllNotifications',
  method: 'DELETE',
  path: '/notifications',
  audit: false,
  summary: 'Delete all notifications',
  means: whose,
  answers: { 204: { means: 'They are gone.' } },
});
