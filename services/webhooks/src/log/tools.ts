import type { Arrivals, ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import type { Heads } from './heads.ts';
import type { Subscriptions } from '../webhook/subscriptions.ts';

/** Parts that handlers of the log work with. */
export interface EventLogTools extends ServiceTools<WebhooksSettings> {
  readonly subscriptions: Subscriptions;
  readonly arrivals: Arrivals;
  readonly heads: Heads;
}
