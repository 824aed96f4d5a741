import { Type } from 'typebox';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

/** Kinds that webhooks and `GET /events` tell. */
export const webhookEventKinds = [
  'message.received',
  'message.queued',
  'message.sent',
  'message.failed',
  'message.status',
  'message.reaction',
  'message.edited',
  'message.deleted',
  'message.vote',
  'connection.update',
  'connection.qr',
  'connection.ready',
  'connection.disconnected',
  'group.updated',
  'group.participants',
  'presence.update',
  'contact.updated',
  'broadcast.started',
  'broadcast.completed',
  'broadcast.failed',
  'bulk.completed',
  'automation.executed',
  'webhook.disabled',
  'profile.daily-limit-reached',
  'profile.health',
] as const;

/** Subscriptions of a webhook: everything, a group such as `message.*`, or one kind. */
const patterns = ['*', ...new Set(webhookEventKinds.map((kind) => `${kind.split('.')[0]}.*`)), ...webhookEventKinds];

export const EventPatterns = Type.Array(
  oneOf(patterns, {
    description: 'A kind, a group such as `message.*`, or `*`.',
  }),
  {
    minItems: 1,
    maxItems: 50,
  },
);

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https, without credentials',
});

export const WebhookSecret = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Signs every delivery. With the prefix `whsec_` the rest is base64.',
});

export const ProfileFilter = Type.Array(Id, {
  minItems: 1,
  maxItems: 100,
  description: 'Only events of these profiles are delivered',
});

export const CustomHeaders = Type.Record(Type.String(), Type.String({ maxLength: 2048 }), {
  maxProperties: 20,
  description:
    'Sent with every delivery; they cannot replace headers of the gateway or of the connection. Values are never shown: `********` keeps the value that a name has.',
});

/** How much events carry. */
export const PayloadVersion = Type.Integer({
  minimum: 1,
  maximum: 2,
  description:
    '2 (default): events carry what messages say. 1: `message.received` without `content`, `pushName` and `quoted`, with stickers as images, and `message.sent` without `content`, `quotedMessageId` and `timestamp`, as webhooks got them before there was a choice',
});

export const SignedMediaUrls = Type.Boolean({
  description:
    'URLs of media in events need no credential, and are good for an hour after the attempt, while the webhook is enabled',
});

const DisabledReason = oneOf(['GONE', 'FAILING'], {
  description: 'GONE: the receiver answered 410. FAILING: nothing but failures for WEBHOOK_DISABLE_AFTER_HOURS.',
});

/** A subscription. The secret and the values of headers are never shown. */
export const Webhook = closed(
  {
    id: Id,
    url: Type.String(),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    profileIds: Type.Optional(Type.Array(Id)),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Names; every value is shown as `********`' }),
    ),
    payloadVersion: PayloadVersion,
    signedMediaUrls: SignedMediaUrls,
    hasSecret: Type.Boolean(),
    disabledReason: nullable(DisabledReason),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Webhook' },
);

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** How the delivery of one event to one webhook stands. */
export const WebhookDelivery = closed(
  {
    id: Type.String({ format: 'uuid', description: "The event's id, which is also the header `webhook-id`" }),
    eventId: Id,
    webhookId: Id,
    event: Type.String({ description: 'Kind of the event' }),
    profileId: nullable(Id),
    status: oneOf(deliveryStatuses),
    attempts: Count,
    statusCode: nullable(Type.Integer({ description: 'HTTP status of the last answer' })),
    error: nullable(
      Type.String({ description: 'Why the last attempt failed, as a word such as HTTP_500, TIMEOUT or ECONNREFUSED' }),
    ),
    durationMs: nullable(Count),
    eventTime: Timestamp,
    lastAttemptAt: nullable(Timestamp),
    nextAttemptAt: nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
);

/** An event as webhooks and `GET /events` tell it. */
export const ToldEvent = closed(
  {
    id: Id,
    event: Type.String({ description: 'Kind of the event' }),
    timestamp: Timestamp,
    profileId: nullable(Id),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'Event' },
);

export const webhookParams = closed({ id: Id });
