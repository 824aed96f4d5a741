import { Type } from 'typebox';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../../shapes.ts';

export const notificationTypes = ['message', 'connection', 'broadcast', 'automation', 'security', 'system'] as const;
export const NotificationType = oneOf(notificationTypes, { title: 'NotificationType' });

export const Notification = closed(
  {
    id: Id,
    type: NotificationType,
    title: Type.String(),
    body: Type.String({
      description: 'Of a message the beginning of its text: 120 characters at most, and an ellipsis when it goes on',
    }),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Of a message `conversationId`, `profileId` and `count`, how many have come while this was unread; else the ids of what it is about',
    }),
    read: Type.Boolean({ description: 'Whether its user has read it' }),
    createdAt: { ...Timestamp, description: 'When it was told, ISO 8601; of messages that are counted, the last one' },
    place: Type.Optional(
      Type.String({ description: 'Where it stands among what is told as it comes: only with `after` or `wait`' }),
    ),
  },
  { title: 'Notification' },
);

export const notificationExample = {
  id: '0198c0de-0000-7000-8000-000000000001',
  type: 'message',
  title: 'Ada',
  body: 'Hello',
  metadata: {
    profileId: '0198c0de-0000-7000-8000-000000000002',
    conversationId: '0198c0de-0000-5000-8000-000000000003',
    count: 2,
  },
  read: false,
  createdAt: '2026-01-01T10:00:00.000Z',
};

export const Counted = closed({ count: Count });

export const PushSubscription = closed(
  {
    id: Id,
    endpoint: Type.String({ description: 'Where its browser is pushed to' }),
    createdAt: Timestamp,
    lastSuccessAt: nullable({ ...Timestamp, description: 'When the push service has last taken one; null: never' }),
  },
  { title: 'PushSubscription' },
);

export const pushSubscriptionExample = {
  id: '0198c0de-0000-7000-8000-000000000001',
  endpoint: 'https://push.example.com/send/abc',
  createdAt: '2026-01-01T10:00:00.000Z',
  lastSuccessAt: null,
};
