import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { disableWebhook } from '../webhook/disabling.ts';
import type { Subscriptions } from '../webhook/subscriptions.ts';
import { hasten } from './outstanding.ts';
import type { ReceiverState } from './settling.ts';

type Parts = Pick<ServiceTools<WebhooksSettings>, 'sql' | 'store' | 'clock' | 'log' | 'settings'> & {
  readonly subscriptions: Subscriptions;
};

const hourMs = 3_600_000;

/**
 * Hastens what waits when a receiver answers again; disables a webhook when its receiver has failed for
 * WEBHOOK_DISABLE_AFTER_HOURS.
 *
 * @returns whether something that waits has changed
 */
export async function lookAfterReceiver(
  parts: Parts,
  { webhookId, recovered, failingSince }: ReceiverState,
): Promise<boolean> {
  const { sql, clock, settings, subscriptions } = parts;
  if (recovered) await hasten(sql, webhookId, clock.now());
  const { disableAfterHours } = settings;
  if (failingSince === undefined || disableAfterHours === 0) return recovered;
  if (clock.now() - failingSince.getTime() < disableAfterHours * hourMs) return recovered;
  const webhook = await subscriptions.get(webhookId, 0);
  if (webhook?.enabled !== true) return recovered;
  await disableWebhook(parts, webhookId, webhook, 'FAILING');
  return true;
}
