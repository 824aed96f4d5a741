import { EraseWebhooksData, ReadWebhooksData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { chatwoot } from './chatwoot/feature.ts';
import type { WebhooksSettings } from './config.ts';
import { deliveries } from './delivery/feature.ts';
import { eventLog } from './log/feature.ts';
import { webhooks as subscriptions } from './webhook/feature.ts';

/** Webhooks, deliveries, the log of public events, and the bridge to Chatwoot. */
export const webhooks = service<WebhooksSettings>('webhooks', {
  features: [subscriptions, deliveries, eventLog, chatwoot],
  personalData: { erase: EraseWebhooksData, read: ReadWebhooksData },
});
