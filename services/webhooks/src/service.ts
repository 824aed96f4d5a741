import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhookDeliveries,
  ListWebhooks,
  ReadEvents,
  RedeliverWebhook,
  ReplayWebhook,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
  events,
} from '@messaging-gateway/contracts';
import { gatheringReaction, operation, type ServiceDefinition } from '@messaging-gateway/service';
import { outstandingMetrics } from './delivery/outstanding-metrics.ts';
import { listDeliveries, redeliver, replayEvents } from './delivery/redelivering.ts';
import { testWebhook } from './delivery/testing-event.ts';
import { readEvents } from './log/reading.ts';
import { retention } from './log/retention.ts';
import { webhooksData } from './personal-data.ts';
import { publish } from './publishing.ts';
import type { WebhooksTools } from './tools.ts';
import { deleteWebhook, rotateSecret, updateWebhook } from './webhook/changing.ts';
import { createWebhook } from './webhook/creating.ts';
import { getWebhook, listWebhooks } from './webhook/listing.ts';

const publicEvents = events.filter(({ visibility }) => visibility === 'public');

/** Everything that webhooks does. */
export const webhooksService = (tools: WebhooksTools): ServiceDefinition => ({
  name: 'webhooks',
  rows: [
    operation(CreateWebhook, (input) => createWebhook(tools, input)),
    operation(ListWebhooks, (input) => listWebhooks(tools, input)),
    operation(GetWebhook, (input) => getWebhook(tools, input)),
    operation(UpdateWebhook, (input) => updateWebhook(tools, input)),
    operation(DeleteWebhook, (input) => deleteWebhook(tools, input)),
    operation(TestWebhook, (input) => testWebhook(tools, input)),
    operation(RotateWebhookSecret, (input) => rotateSecret(tools, input)),
    operation(ListWebhookDeliveries, (input) => listDeliveries(tools, input)),
    operation(RedeliverWebhook, (input) => redeliver(tools, input)),
    operation(ReplayWebhook, (input) => replayEvents(tools, input)),
    operation(ReadEvents, (input) => readEvents(tools, input)),
    ...webhooksData(tools),
    ...publicEvents.map((contract) => gatheringReaction(contract, (_, event) => tools.intake.take(event))),
  ],
  publish,
  running: [
    { start: async () => tools.sender.start(), stop: async () => undefined },
    { start: () => tools.dispatcher.start(), stop: () => tools.dispatcher.stop() },
    { start: async () => undefined, stop: async () => tools.arrivals.stop() },
    outstandingMetrics(tools),
  ],
  jobs: [retention(tools, tools.settings.eventRetentionDays)],
});
