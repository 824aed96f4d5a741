import { carriedOutStream, type ServiceModule, type ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from './config.ts';
import { deliveryMetrics } from './delivery/delivery-metrics.ts';
import { Dispatcher } from './delivery/dispatcher.ts';
import { Sender } from './delivery/sender.ts';
import { Arrivals } from './log/arrivals.ts';
import { Intake } from './log/intake.ts';
import { webhooksMigration } from './migrations/0001-webhooks.ts';
import { traceContextMigration } from './migrations/0002-trace-context.ts';
import { removedFromTheLog } from './migrations/0003-removed-from-the-log.ts';
import { claimedDeliveries } from './migrations/0004-claimed-deliveries.ts';
import { webhooksService } from './service.ts';
import type { WebhooksTools } from './tools.ts';
import { Subscriptions } from './webhook/subscriptions.ts';
import { webhookStream } from './webhook/webhook-stream.ts';
import { WebhookRow, webhooksView } from './webhook/webhooks-view.ts';

export { webhooksSettings } from './config.ts';
export type { WebhooksSettings } from './config.ts';

/** Subscriptions, deliveries, and the log of public events. */
export const webhooks: ServiceModule<WebhooksSettings> = {
  name: 'webhooks',
  storage: { schema: 'webhooks', streams: [webhookStream, carriedOutStream], inlineViews: [webhooksView], guards: [] },
  entities: [WebhookRow],
  migrations: [webhooksMigration, traceContextMigration, removedFromTheLog, claimedDeliveries],
  connect: (tools) => webhooksService(assemble(tools)),
};

function assemble(tools: ServiceTools<WebhooksSettings>): WebhooksTools {
  const { settings, clock, metrics, store } = tools;
  const subscriptions = new Subscriptions(store);
  const sender = new Sender(settings, clock, tools.spans);
  const arrivals = new Arrivals(clock);
  const dispatcher = new Dispatcher({ ...tools, subscriptions, sender, metrics: deliveryMetrics(metrics) });
  const intake = new Intake({
    sql: tools.sql,
    now: () => clock.now(),
    claimant: () => dispatcher.claimant(),
    onLogged: (organizations, deliveries, claimed) => {
      arrivals.tell(organizations);
      dispatcher.offer(deliveries, claimed);
    },
    onBroken: () => dispatcher.suspectStrays(),
  });
  return { ...tools, subscriptions, sender, arrivals, dispatcher, intake };
}
