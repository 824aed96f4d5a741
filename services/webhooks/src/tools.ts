import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from './config.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import type { Sender } from './delivery/sender.ts';
import type { Arrivals } from './log/arrivals.ts';
import type { Intake } from './log/intake.ts';
import type { Subscriptions } from './webhook/subscriptions.ts';

/** Tools of the handlers of webhooks. */
export interface WebhooksTools extends ServiceTools<WebhooksSettings> {
  readonly subscriptions: Subscriptions;
  readonly intake: Intake;
  readonly arrivals: Arrivals;
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
}
