import { WebhookDisabled } from '@messaging-gateway/contracts';
import { publication, type Publish } from '@messaging-gateway/service';
import { webhookIdOf } from './webhook/webhook-stream.ts';
import type { WebhookEvent } from './webhook/webhook.ts';

/** Facts that webhooks tells. */
export const publish: Publish = (entry) => {
  const { type, data } = entry as unknown as WebhookEvent;
  if (type !== 'WebhookDisabled') return [];
  const id = webhookIdOf(entry.stream);
  return [publication(WebhookDisabled, { id, url: data.url, reason: data.reason }, id)];
};
