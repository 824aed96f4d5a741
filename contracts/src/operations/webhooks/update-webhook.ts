import { Type } from 'typebox';
import { lastingLimits, operation } from '../../contract.ts';
import { closed, nullable } from '../../shapes.ts';
import {
  CustomHeaders,
  EventPatterns,
  PayloadVersion,
  ProfileFilter,
  SignedMediaUrls,
  Webhook,
  WebhookSecret,
  WebhookUrl,
  webhookParams,
} from './shapes.ts';

export const UpdateWebhook = operation({
  name: 'UpdateWebhook',
  owner: 'webhooks',
  method: 'PUT',
  path: '/webhooks/:id',
  access: 'webhook:manage',
  refusesKeysLimitedIn: lastingLimits,
  tag: 'Webhooks',
  summary: 'Update a webhook',
  means:
    'Changes the fields given; null removes secret, profile filter or headers. Headers replace those before; `********` keeps a value. A new secret holds at once, without the ' +
    'overlap of `rotate-secret`. Disabling ends what waits for delivery as `failed` (`replay` sends it again); enabling clears `disabledReason`.',
  params: webhookParams,
  body: closed({
    url: Type.Optional(WebhookUrl),
    secret: Type.Optional(nullable(WebhookSecret)),
    events: Type.Optional(EventPatterns),
    enabled: Type.Optional(Type.Boolean()),
    profileIds: Type.Optional(nullable(ProfileFilter)),
    headers: Type.Optional(nullable(CustomHeaders)),
    payloadVersion: Type.Optional(PayloadVersion),
    signedMediaUrls: Type.Optional(SignedMediaUrls),
  }),
  answers: { 200: { body: Webhook, means: 'The webhook as it is now.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  example: { events: ['message.*'], enabled: true },
});
