import { Type } from 'typebox';
import { lastingLimits, operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import {
  CustomHeaders,
  EventPatterns,
  PayloadVersion,
  ProfileFilter,
  SignedMediaUrls,
  Webhook,
  WebhookSecret,
  WebhookUrl,
} from './shapes.ts';

export const CreateWebhook = operation({
  name: 'CreateWebhook',
  owner: 'webhooks',
  method: 'POST',
  path: '/webhooks',
  access: 'webhook:manage',
  refusesKeysLimitedIn: lastingLimits,
  tag: 'Webhooks',
  summary: 'Create a webhook',
  means:
    'Events from now on are delivered to the URL, signed when there is a secret. ' +
    'A URL that leads to a loopback, private or reserved address is refused. An organization has at most 100 webhooks. ' +
    'URLs of media are absolute by `PUBLIC_URL`, else by the host that this request, or the last change of the webhook, was sent to.',
  body: closed({
    url: WebhookUrl,
    secret: Type.Optional(WebhookSecret),
    events: EventPatterns,
    enabled: Type.Optional(Type.Boolean()),
    profileIds: Type.Optional(ProfileFilter),
    headers: Type.Optional(CustomHeaders),
    payloadVersion: Type.Optional(PayloadVersion),
    signedMediaUrls: Type.Optional(SignedMediaUrls),
  }),
  answers: { 201: { body: Webhook, means: 'The webhook.' } },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  example: {
    url: 'https://example.com/hook',
    secret: 'a long secret',
    events: ['message.received', 'connection.ready'],
  },
});
