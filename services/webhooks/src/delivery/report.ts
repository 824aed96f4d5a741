import type { Logger } from '@messaging-gateway/runtime';
import type { ReceiverState, Settlement } from './outcome.ts';
import type { Receiver } from './receiver.ts';

/** Says in the log when a receiver goes down or answers again; each replica says the former when it notices. */
export function reportReceiver(
  log: Pick<Logger, 'info' | 'warn'>,
  { webhookId, organizationId, isDown: wasDown }: Pick<Receiver, 'webhookId' | 'organizationId' | 'isDown'>,
  { isDown, recovered }: ReceiverState,
  reason: string | undefined,
): void {
  if (recovered) log.info('The receiver of a webhook answers again', { organizationId, webhookId });
  else if (isDown && !wasDown)
    log.warn('The receiver of a webhook is down: its events wait', { organizationId, webhookId, reason });
}

/** One line for each webhook whose deliveries were given up. */
export function reportGivenUp(log: Pick<Logger, 'warn'>, settlements: readonly Settlement[]): void {
  const givenUp = settlements.filter(({ status, error }) => status === 'failed' && error !== 'WEBHOOK_DISABLED');
  for (const [webhookId, of] of Map.groupBy(givenUp, ({ delivery }) => delivery.webhookId)) {
    const [first] = of;
    log.warn('Events for a webhook were given up', {
      webhookId,
      count: of.length,
      eventId: first?.delivery.eventId,
      reason: first?.error,
    });
  }
}
