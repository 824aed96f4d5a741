import { Type } from 'typebox';
import { keyLimits, operation } from '../../../contract.ts';
import { Count, closed, nullable, page, pageQuery } from '../../../shapes.ts';
import { PushSubscription, pushSubscriptionExample } from './shapes.ts';

const common = { owner: 'insights', tag: 'Web Push', access: 'own', errors: ['UNAUTHORIZED'] } as const;

const Endpoint = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Begins with https://, and leads to no private address unless the operator allows that',
});
const endpoint = pushSubscriptionExample.endpoint;

export const GetVapidKey = operation({
  ...common,
  name: 'GetVapidKey',
  method: 'GET',
  path: '/notifications/push/vapid-key',
  summary: 'Web Push public key',
  means:
    'The `applicationServerKey` that a browser is given when it subscribes. The pair is made once and kept, unless VAPID_PUBLIC_KEY and ' +
    'VAPID_PRIVATE_KEY are set; after a change of keys the subscriptions that were made for the old one are removed.',
  answers: {
    200: {
      body: closed({
        publicKey: Type.String({ description: 'A point of P-256, 65 bytes, uncompressed, as base64url' }),
      }),
      means: 'The key.',
      example: {
        publicKey: 'BHl9exTokiR1MXjmDl1rOtVf3H1Gk6uA2Ru4d5zKQCGx9gVbWqkF1p6u0QmZbdf4Qd2r4dXq7b6kVdE4T3nC0aE',
      },
    },
  },
});

export const ListPushSubscriptions = operation({
  ...common,
  name: 'ListPushSubscriptions',
  method: 'GET',
  path: '/notifications/push/subscriptions',
  summary: 'List push subscriptions',
  means: "The caller's own; those that came first at the top.",
  query: closed(pageQuery),
  answers: {
    200: {
      body: page(PushSubscription),
      means: 'A page of them.',
      example: { items: [pushSubscriptionExample], nextCursor: null, total: 1 },
    },
  },
});

export const SubscribeToPush = operation({
  ...common,
  name: 'SubscribeToPush',
  method: 'POST',
  path: '/notifications/push/subscribe',
  refusesKeysLimitedIn: keyLimits,
  audit: { action: 'push.subscribe', namedByRequest: true, carriedOut: true },
  summary: 'Register a push subscription',
  means:
    "Takes what a browser's `PushSubscription.toJSON()` says. The same endpoint again changes its keys; a browser whose person has changed is pushed to for the " +
    'new one alone. 20 for each user. Notifications are pushed to it ' +
    'as the preference `pushNotifications` says: `{ id, type, title, body, tag, url }`, of a chat once in 10 s at most, the later one in the place of the ' +
    'earlier (`Topic`, `tag`). What fails is tried three times within an hour, as `Retry-After` says. A subscription whose push service answers 404 or 410 is ' +
    'removed, and so is one that is refused ten times (4xx) without a success.',
  body: closed({
    endpoint: Endpoint,
    expirationTime: Type.Optional(
      nullable(Type.Number({ description: 'As the browser says; its push service says when it is gone' })),
    ),
    keys: closed(
      {
        p256dh: Type.String({ maxLength: 128, description: 'A point of P-256, 65 bytes, as base64url' }),
        auth: Type.String({ maxLength: 64, description: '16 bytes, as base64url' }),
      },
      { description: 'By which a push is encrypted for this browser alone' },
    ),
  }),
  answers: { 200: { body: PushSubscription, means: 'It is registered.', example: pushSubscriptionExample } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
  example: {
    endpoint,
    keys: {
      p256dh: 'BHl9exTokiR1MXjmDl1rOtVf3H1Gk6uA2Ru4d5zKQCGx9gVbWqkF1p6u0QmZbdf4Qd2r4dXq7b6kVdE4T3nC0aE',
      auth: 'iW1kQ9mZ0b2m0cV4m3b0Vg',
    },
  },
});

export const UnsubscribeFromPush = operation({
  ...common,
  name: 'UnsubscribeFromPush',
  method: 'POST',
  path: '/notifications/push/unsubscribe',
  audit: { action: 'push.unsubscribe', namedByRequest: true, carriedOut: true },
  summary: 'Remove a push subscription',
  means: "One of the caller's own. Nothing happens when there is none with this endpoint.",
  body: closed({ endpoint: Endpoint }),
  answers: { 204: { means: 'It is not there any more.' } },
  example: { endpoint },
});

export const TestPush = operation({
  ...common,
  name: 'TestPush',
  method: 'POST',
  path: '/notifications/push/test',
  audit: false,
  summary: 'Send a test push',
  means:
    'Pushes a test to all subscriptions of the caller at once, one time each, and says what their push services have answered.',
  answers: {
    200: {
      body: closed({
        sent: { ...Count, description: 'Taken by the push service' },
        failed: { ...Count, description: 'Not taken now; they stay' },
        removed: { ...Count, description: 'Gone (404, 410): they are removed' },
      }),
      means: 'What became of it.',
      example: { sent: 1, failed: 0, removed: 0 },
    },
  },
  timeoutMs: 45_000,
});
