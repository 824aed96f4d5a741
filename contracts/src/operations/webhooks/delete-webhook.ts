import { operation } from '../../contract.ts';
import { webhookParams } from './shapes.ts';

export const DeleteWebhook = operation({
  name: 'DeleteWebhook',
  owner: 'webhooks',
  method: 'DELETE',
  path: '/webhooks/:id',
  access: 'webhook:manage',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  means: 'Nothing is delivered to it any more; its deliveries are forgotten.',
  params: webhookParams,
  answers: { 204: { means: 'The webhook is gone.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
