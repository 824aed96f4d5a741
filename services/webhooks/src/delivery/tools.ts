import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Sender } from './sender.ts';

/** Parts that handlers of deliveries work with. */
export interface DeliveryTools extends ServiceTools<WebhooksSettings> {
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
}
