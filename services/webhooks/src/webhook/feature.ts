import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  UpdateWebhook,
  WebhookDisabled,
} from '@messaging-gateway/contracts';
import { feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { webhooksMigration } from './0001-webhooks.migration.ts';
import { deleteWebhook, rotateSecret, updateWebhook } from './changing.ts';
import { createWebhook } from './creating.ts';
import { getWebhook, listWebhooks, webhooksSection } from './listing.ts';
import { Subscriptions } from './subscriptions.ts';
import type { ChangedWebhook } from './tools.ts';
import { webhookIdOf, webhookStream } from './webhook-stream.ts';
import { WebhookRow, webhooksView } from './webhooks-view.ts';

/** Webhooks: where an organization wants its events sent. URLs, headers and secrets lie in the journal, encrypted. */
export const webhooks = feature({
  name: 'webhooks',
  streams: [webhookStream],
  views: [webhooksView],
  migrations: [webhooksMigration],
  entities: [WebhookRow],
  tells: [
    tells(webhookStream, {
      WebhookDisabled: ({ stream, data: { url, reason } }) => {
        const id = webhookIdOf(stream);
        return [publication(WebhookDisabled, { id, url, reason }, id)];
      },
    }),
  ],
  connect: (given: ServiceTools<WebhooksSettings>) => {
    const listeners: ((webhook: ChangedWebhook) => Promise<void>)[] = [];
    const changed = async (webhook: ChangedWebhook): Promise<void> => {
      for (const listener of listeners) await listener(webhook);
    };
    const subscriptions = new Subscriptions(given.store);
    const tools = { ...given, subscriptions, changed };
    return {
      api: { subscriptions, whenChanged: (listener: (typeof listeners)[number]) => void listeners.push(listener) },
      rows: [
        operation(CreateWebhook, (input) => createWebhook(tools, input)),
        operation(ListWebhooks, (input) => listWebhooks(tools, input)),
        operation(GetWebhook, (input) => getWebhook(tools, input)),
        operation(UpdateWebhook, (input) => updateWebhook(tools, input)),
        operation(DeleteWebhook, (input) => deleteWebhook(tools, input)),
        operation(RotateWebhookSecret, (input) => rotateSecret(tools, input)),
      ],
      personalData: { sections: [webhooksSection(subscriptions)] },
    };
  },
});
