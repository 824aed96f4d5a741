import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import type { ActiveWebhook, DisabledReason } from './webhook.ts';
import { webhookStream } from './webhook-stream.ts';

/** Stops delivering to a webhook whose receiver is gone or fails for too long, unless it leads elsewhere by now. */
export async function disableWebhook(
  tools: Pick<ServiceTools<WebhooksSettings>, 'store' | 'clock' | 'log'>,
  webhookId: string,
  { url, organizationId }: Pick<ActiveWebhook, 'url' | 'organizationId'>,
  reason: DisabledReason,
): Promise<void> {
  const at = new Date(tools.clock.now()).toISOString();
  const metadata = { organizationId, subject: `organization:${organizationId}`, actor: 'service:webhooks' };
  const { outcome } = await tools.store.handle(
    webhookStream,
    webhookId,
    { type: 'DisableWebhook', url, reason, at },
    { metadata },
  );
  if (outcome === 'appended') tools.log.warn('Webhook disabled', { webhookId, organizationId, reason });
}
