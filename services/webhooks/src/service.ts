import { EraseWebhooksData, ReadWebhooksData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import type { WebhooksSettings } from './config.ts';
import { deliveries } from './delivery/feature.ts';
import { eventLog } from './log/feature.ts';
import { webhooks as subscriptions } from './webhook/feature.ts';

/** Webhooks, deliveries, and the log of public events. */
export const webhooks = service<WebhooksSettings>('webhooks', {
  features: [subscriptions, deliveries, eventLog],
  personalData: { erase: EraseWebhooksData, read: ReadWebhooksData },
});
