import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A webhook that its owner has changed or deleted. */
export interface ChangedWebhook {
  readonly webhookId: string;
  /** The webhook was enabled or leads elsewhere: its receiver's earlier failures count no more. */
  readonly isAfresh: boolean;
}

/** Parts that handlers of webhooks work with. */
export interface WebhookTools extends ServiceTools<WebhooksSettings> {
  readonly subscriptions: Subscriptions;
  /** Tells those who deliver. */
  readonly changed: (webhook: ChangedWebhook) => Promise<void>;
}
