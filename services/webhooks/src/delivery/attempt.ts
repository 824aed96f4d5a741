import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { disableWebhook } from '../webhook/disabling.ts';
import type { Subscriptions } from '../webhook/subscriptions.ts';
import type { ActiveWebhook } from '../webhook/webhook.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryMetrics } from './metrics.ts';
import type { Settlement } from './outcome.ts';
import { payloadFor } from './payload.ts';
import type { Receiver } from './receiver.ts';
import type { Attempt, Sender } from './sender.ts';

export interface AttemptingParts extends Pick<
  ServiceTools<WebhooksSettings>,
  'store' | 'clock' | 'log' | 'settings' | 'encryption'
> {
  readonly subscriptions: Subscriptions;
  readonly sender: Sender;
  readonly metrics: DeliveryMetrics;
}

/** How soon something is tried again that failed on our side, milliseconds. */
const ownFaultMs = 1000;

/** Tries a delivery once and says what is to be kept of it. */
export async function attemptDelivery(
  parts: AttemptingParts,
  receiver: Receiver,
  delivery: Delivery,
): Promise<Settlement> {
  try {
    const webhook = await parts.subscriptions.get(delivery.webhookId, delivery.webhookVersion);
    if (webhook === undefined || !webhook.enabled) return ended(delivery, 'WEBHOOK_DISABLED');
    if (!isFor(webhook, delivery)) return ended(delivery, 'PROFILE_NOT_INCLUDED');
    if (delivery.body === null) return ended(delivery, 'EXPIRED');
    return await send(parts, receiver, { ...delivery, body: delivery.body }, webhook);
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
  receiver: Receiver,
  delivery: Delivery & { body: string },
  webhook: ActiveWebhook,
): Promise<Settlement> {
  const { sender, clock, metrics, settings, encryption } = parts;
  const { webhookId, eventId, sourceSequence, traceparent } = delivery;
  const body = payloadFor(delivery.body, delivery, webhook, { settings, encryption, now: clock.now() });
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
    receiver: receiver.judge(eventId, attempt.outcome),
  };
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

export interface RetryRules {
  readonly retryAttempts: number;
  readonly retryDelayMs: number;
}

/** The verdict on a delivery after an attempt. `gone`: it has failed, and so will all others (410). */
export type Verdict =
  | { readonly status: 'delivered' | 'failed' | 'gone' }
  | { readonly status: 'retry'; readonly dueAt: number };

const longestDelayMs = 86_400_000;

/**
 * Decides what follows an attempt: all but 2xx is tried again, with a wait that doubles each time.
 *
 * @param attempts made, this one included
 * @param now milliseconds since 1970
 */
export function verdictOn(
  attempt: Pick<Attempt, 'outcome' | 'statusCode'>,
  attempts: number,
  now: number,
  rules: RetryRules,
): Verdict {
  if (attempt.outcome === 'delivered') return { status: 'delivered' };
  if (attempt.statusCode === 410) return { status: 'gone' };
  if (attempts >= rules.retryAttempts) return { status: 'failed' };
  const delay = Math.min(rules.retryDelayMs * 2 ** (attempts - 1), longestDelayMs);
  return { status: 'retry', dueAt: now + delay };
}
