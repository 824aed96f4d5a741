import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { WebhookDelivery } from './shapes.ts';

export const RedeliverWebhook = operation({
  name: 'RedeliverWebhook',
  owner: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
  access: 'webhook:manage',
  tag: 'Webhooks',
  audit: { action: 'webhook.redeliver', carriedOut: true },
  summary: 'Deliver again',
  means:
    'Sends the same body with the same `webhook-id` again, with all attempts anew, whether it was delivered or failed. ' +
    'One that waits for its next attempt is tried at once; of a receiver that is down the first in line is, and the others follow it in order.',
  params: closed({ id: Id, deliveryId: Id }),
  answers: { 202: { body: WebhookDelivery, means: 'It will be sent.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
