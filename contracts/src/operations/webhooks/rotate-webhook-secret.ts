import { Type } from 'typebox';
import { lastingLimits, operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { WebhookSecret, webhookParams } from './shapes.ts';

export const RotateWebhookSecret = operation({
  name: 'RotateWebhookSecret',
  owner: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  access: 'webhook:manage',
  refusesKeysLimitedIn: lastingLimits,
  tag: 'Webhooks',
  audit: 'webhook.rotate_secret',
  summary: 'Rotate the secret',
  means:
    'Makes a new secret, or takes the given one. `X-Service-Signature` uses it from now on; for 24 hours ' +
    '`webhook-signature` carries a signature of the new and one of the old secret.',
  params: webhookParams,
  body: closed({ secret: Type.Optional(WebhookSecret) }),
  bodyOptional: true,
  answers: { 200: { body: closed({ secret: WebhookSecret }), means: 'The new secret, shown this once.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  example: {},
});
