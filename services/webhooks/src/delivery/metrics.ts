import type { Clock, Metrics } from '@messaging-gateway/runtime';
import type { FeatureGauge, Sql } from '@messaging-gateway/service';
import { Counter, Gauge, Histogram } from 'prom-client';
import { waitingWebhooks } from './outstanding.ts';

export interface DeliveryMetrics {
  /** One attempt: delivered, answered (not with 2xx), broken or unreachable. */
  attempt(outcome: string, seconds: number): void;
  /** From the event to its first attempt, seconds. */
  lag(seconds: number): void;
  /** Webhooks with deliveries that wait, and those of them whose receiver is down. */
  waiting(webhooks: number, down: number): void;
}

export function deliveryMetrics(registry: Metrics): DeliveryMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of an attempt until the answer, or until it was given up',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const lag = new Histogram({
    name: 'webhook_lag_seconds',
    help: 'Time from an event to its first delivery attempt',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers,
  });
  const waiting = new Gauge({
    name: 'webhooks_waiting',
    help: 'Webhooks with deliveries that wait to be tried',
    registers,
  });
  const down = new Gauge({
    name: 'webhooks_down',
    help: 'Webhooks with waiting deliveries whose receiver counts as down',
    registers,
  });
  return {
    attempt: (outcome, seconds) => {
      attempts.inc({ outcome });
      durations.observe({ outcome }, seconds);
    },
    lag: (seconds) => lag.observe(Math.max(0, seconds)),
    waiting: (webhooks, withDown) => {
      waiting.set(webhooks);
      down.set(withDown);
    },
  };
}

/** Counting must not cost more the more waits. */
const mostCounted = 100_000;

/** Deliveries that are not settled yet: each replica tells the same. */
export const outstandingGauges = ({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): FeatureGauge[] => [
  {
    name: 'webhook_deliveries_outstanding',
    help: 'Deliveries that are not settled, of all replicas: waiting to be tried (counted up to 100,000), or claimed by a dispatcher',
    labels: ['state'],
    look: async () => {
      const [row] = await sql.query<{ claimed: number; waiting: number }>(
        `SELECT (SELECT count(*) FROM outstanding WHERE claimed_by IS NOT NULL)::int AS claimed,
                (SELECT count(*) FROM (SELECT FROM outstanding WHERE due_at IS NOT NULL LIMIT $1) w)::int AS waiting`,
        [mostCounted],
      );
      return [
        { labels: { state: 'claimed' }, value: row?.claimed ?? 0 },
        { labels: { state: 'waiting' }, value: row?.waiting ?? 0 },
      ];
    },
  },
  {
    name: 'webhook_deliveries_oldest_due_seconds',
    help: 'How long the delivery that is overdue longest has been due, of all replicas; 0 without any',
    look: async () => {
      const waiting = (await waitingWebhooks(sql)).filter(({ isDown }) => !isDown).map(({ dueAt }) => dueAt.getTime());
      return [{ value: Math.max(0, clock.now() - Math.min(...waiting, Infinity)) / 1000 }];
    },
  },
];
