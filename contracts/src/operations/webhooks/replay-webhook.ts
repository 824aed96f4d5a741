import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Timestamp, closed } from '../../shapes.ts';
import { webhookParams } from './shapes.ts';

export const ReplayWebhook = operation({
  name: 'ReplayWebhook',
  owner: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/replay',
  access: 'webhook:manage',
  tag: 'Webhooks',
  audit: { action: 'webhook.replay', carriedOut: true },
  summary: 'Replay events',
  means:
    'Delivers every kept event of a time span that the webhook subscribes to, again if it was delivered already, with ' +
    'the same body and `webhook-id`. Those still pending stay as they are. At most 100,000 events at once, else 409.',
  params: webhookParams,
  body: closed({ since: Timestamp, until: Type.Optional(Timestamp) }),
  answers: { 202: { body: closed({ count: Count }), means: 'So many events will be delivered.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  example: { since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T06:00:00.000Z' },
});
