import {
  GetLinkedMedia,
  ListWebhookDeliveries,
  RedeliverWebhook,
  ReplayWebhook,
  TestWebhook,
} from '@messaging-gateway/contracts';
import { auditedRequests, feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { webhooks } from '../webhook/feature.ts';
import { claimedDeliveries } from './0004-claimed-deliveries.migration.ts';
import { listDeliveries, redeliver, replayEvents } from './delivery-log.ts';
import { Dispatcher } from './dispatcher.ts';
import { deliveryMetrics, outstandingGauges } from './metrics.ts';
import { linkedMedia } from './linked-media.ts';
import { startAfresh } from './outstanding.ts';
import { Sender } from './sender.ts';
import { testWebhook } from './test-event.ts';

/**
 * Deliveries of events to webhooks. In the order in which one happens: the dispatcher takes it in hand, its receiver has a
 * turn, an attempt sends it and says what comes of it, and the outcome is written down.
 */
export const deliveries = feature({
  name: 'deliveries',
  streams: [auditedRequests],
  migrations: [claimedDeliveries],
  needs: { webhooks },
  connect: (given: ServiceTools<WebhooksSettings>, needed) => {
    const { subscriptions, whenChanged } = needed.webhooks;
    const { settings, clock, spans, metrics, sql } = given;
    const sender = new Sender(settings, clock, spans);
    const dispatcher = new Dispatcher({ ...given, subscriptions, sender, metrics: deliveryMetrics(metrics) });
    const tools = { ...given, sender, dispatcher };
    whenChanged(async ({ webhookId, isAfresh }) => {
      if (isAfresh) await startAfresh(sql, webhookId, clock.now());
      // What waits for a webhook that was just disabled ends now, not at the next look.
      dispatcher.wake();
    });
    return {
      api: { dispatcher },
      rows: [
        operation(TestWebhook, (input) => testWebhook(tools, input)),
        operation(ListWebhookDeliveries, (input) => listDeliveries(tools, input)),
        operation(RedeliverWebhook, (input) => redeliver(tools, input)),
        operation(GetLinkedMedia, (input) => linkedMedia(given, subscriptions, input)),
        operation(ReplayWebhook, (input) => replayEvents(tools, input)),
      ],
      running: [
        { start: async () => sender.start(), stop: async () => undefined },
        { start: () => dispatcher.start(), stop: () => dispatcher.stop() },
      ],
      metrics: outstandingGauges(given),
    };
  },
});
