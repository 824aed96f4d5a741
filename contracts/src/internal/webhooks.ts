import { internal } from '../contract.ts';
import { Id, closed } from '../shapes.ts';

export const EraseWebhookData = internal({
  name: 'EraseWebhookData',
  owner: 'webhooks',
  means:
    'Erases what webhooks hold of an organization: subscriptions with their secrets, the events log, deliveries. ' +
    'Events that arrive later are kept again; asking twice does no harm.',
  body: closed({ organizationId: Id }),
  answer: closed({}),
});
