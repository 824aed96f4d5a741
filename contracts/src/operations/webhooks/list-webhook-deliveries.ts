import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, oneOf, page, pageQuery } from '../../shapes.ts';
import { WebhookDelivery, deliveryStatuses, webhookParams } from './shapes.ts';

export const ListWebhookDeliveries = operation({
  name: 'ListWebhookDeliveries',
  owner: 'webhooks',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  access: 'webhook:manage',
  tag: 'Webhooks',
  summary: 'List deliveries',
  means: 'Deliveries of a webhook, the newest event first, kept as long as the events (EVENT_RETENTION_DAYS).',
  params: webhookParams,
  query: closed({ ...pageQuery, status: Type.Optional(oneOf(deliveryStatuses)) }),
  answers: { 200: { body: page(WebhookDelivery), means: 'A page of deliveries.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
