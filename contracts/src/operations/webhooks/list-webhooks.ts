import { operation } from '../../contract.ts';
import { closed, page, pageQuery } from '../../shapes.ts';
import { Webhook } from './shapes.ts';

export const ListWebhooks = operation({
  name: 'ListWebhooks',
  owner: 'webhooks',
  method: 'GET',
  path: '/webhooks',
  access: 'webhook:manage',
  tag: 'Webhooks',
  summary: 'List webhooks',
  means: 'Webhooks of the organization, oldest first.',
  query: closed(pageQuery),
  answers: { 200: { body: page(Webhook), means: 'A page of webhooks.' } },
});
