import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { disableWebhook } from '../webhook/disabling.ts';
import type { Subscriptions } from '../webhook/subscriptions.ts';
import type { ActiveWebhook } from '../webhook/webhook.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Endpoint } from './endpoint.ts';
import type { Attempt, Sender } from './sender.ts';
import type { Settlement } from './settling.ts';
import { verdictOn } from './verdict.ts';

export interface AttemptingParts extends Pick<ServiceTools<WebhooksSettings>, 'store' | 'clock' | 'log' | 'settings'> {
  readonly subscriptions: Subscriptions;
  readonly sender: Sender;
  readonly metrics: DeliveryMetrics;
}

/** How soon something is tried again that failed on our side, milliseconds. */
const ownFaultMs = 1000;

/** Tries a delivery once and says what is to be kept of it. */
export async function attemptDelivery(
  parts: AttemptingParts,
  endpoint: Endpoint,
  delivery: Delivery,
): Promise<Settlement> {
  try {
    const webhook = await parts.subscriptions.get(delivery.webhookId, delivery.webhookVersion);
    if (webhook === undefined || !webhook.enabled) return ended(delivery, 'WEBHOOK_DISABLED');
    if (!isFor(webhook, delivery)) return ended(delivery, 'PROFILE_NOT_INCLUDED');
    if (delivery.body === null) return ended(delivery, 'EXPIRED');
    return await send(parts, endpoint, { ...delivery, body: delivery.body }, webhook);
  } catch (error) {
    parts.log.warn('Delivery put off', {
      webhookId: delivery.webhookId,
      eventId: delivery.eventId,
      reason: String(error),
    });
    return released(delivery, parts.clock.now() + ownFaultMs);
  }
}

/** Whether a webhook still has a delivery's profile: whoever may change it now may not know of profiles from before. */
const isFor = ({ profileIds }: ActiveWebhook, { profileId }: Delivery): boolean =>
  profileIds === undefined || (profileId !== null && profileIds.includes(profileId));

async function send(
  parts: AttemptingParts,
  endpoint: Endpoint,
  delivery: Delivery & { body: string },
  webhook: ActiveWebhook,
): Promise<Settlement> {
  const { sender, clock, metrics, settings } = parts;
  const { webhookId, eventId, body, sourceSequence, traceparent } = delivery;
  if (delivery.attempts === 0) metrics.lag((clock.now() - delivery.occurredAt.getTime()) / 1000);
  const attempt = await sender.send(webhookId, webhook, {
    id: eventId,
    body,
    ...(sourceSequence !== null && { sourceSequence }),
    traceparent: traceparent ?? undefined,
    attempt: delivery.attempts + 1,
  });
  // A stop cut it off: nobody knows whether it arrived, so it is sent again and this attempt does not count.
  if (sender.stopped && attempt.statusCode === undefined) return released(delivery, clock.now());
  metrics.attempt(attempt.outcome, attempt.durationMs / 1000);
  const attempts = delivery.attempts + 1;
  const now = clock.now();
  const verdict = verdictOn(attempt, attempts, now, settings);
  if (verdict.status === 'gone') await disableWebhook(parts, webhookId, webhook, 'GONE');
  return {
    delivery,
    status: verdict.status === 'gone' ? 'failed' : verdict.status,
    attempts,
    dueAt: verdict.status === 'retry' ? verdict.dueAt : undefined,
    statusCode: attempt.statusCode,
    error: attempt.error,
    durationMs: attempt.durationMs,
    attemptedAt: now,
    receiver: receiverAfter(endpoint, eventId, attempt),
  };
}

function receiverAfter(endpoint: Endpoint, eventId: string, attempt: Attempt): Settlement['receiver'] {
  const down = endpoint.breaker.note(eventId, attempt.outcome);
  if (attempt.outcome === 'delivered') return 'up';
  return down ? 'down' : 'failing';
}

const untouched = { statusCode: undefined, durationMs: undefined, attemptedAt: undefined, receiver: undefined };

const ended = (delivery: Delivery, error: string): Settlement => ({
  delivery,
  status: 'failed',
  attempts: delivery.attempts,
  dueAt: undefined,
  ...untouched,
  error,
});

/** Given back as it was taken. */
export const released = (delivery: Delivery, dueAt: number): Settlement => ({
  delivery,
  status: 'released',
  attempts: delivery.attempts,
  dueAt,
  ...untouched,
  error: undefined,
});
