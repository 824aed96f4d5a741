import { operation } from '../../contract.ts';
import { Webhook, webhookParams } from './shapes.ts';

export const GetWebhook = operation({
  name: 'GetWebhook',
  owner: 'webhooks',
  method: 'GET',
  path: '/webhooks/:id',
  access: 'webhook:manage',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  means: 'One webhook; its secret is never shown.',
  params: webhookParams,
  answers: { 200: { body: Webhook, means: 'The webhook.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
