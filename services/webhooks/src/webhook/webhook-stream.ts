import type { StreamType } from '@messaging-gateway/event-sourcing';
import { webhook, type WebhookCommand, type WebhookEvent, type WebhookState } from './webhook.ts';

/** URLs and headers may hold credentials of the receiver, so they are stored as secrets are: under the tenant's key. */
const secret = ['url', 'headers', 'secret', 'previous'];

export const webhookStream: StreamType<WebhookState, WebhookCommand, WebhookEvent> = {
  name: 'webhook',
  decider: webhook,
  events: {
    WebhookCreated: { version: 1, personal: secret },
    WebhookChanged: { version: 1, personal: secret },
    WebhookSecretSet: { version: 1, personal: secret },
    WebhookDisabled: { version: 1, personal: secret },
    WebhookDeleted: { version: 1 },
  },
};

export const webhookIdOf = (stream: string): string => stream.slice(webhookStream.name.length + 1);
