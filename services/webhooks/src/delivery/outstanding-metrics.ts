import { lookedUp } from '@messaging-gateway/runtime';
import type { Running, ServiceTools } from '@messaging-gateway/service';
import { waitingWebhooks } from './outstanding.ts';

/** Reading the metrics must not cost more the more waits. */
const mostCounted = 100_000;

/** Metrics of what is not delivered yet, looked up when the metrics are read: each replica tells the same. */
export function outstandingMetrics({
  metrics,
  sql,
  clock,
}: Pick<ServiceTools<unknown>, 'metrics' | 'sql' | 'clock'>): Running {
  let stops: (() => void)[] = [];
  const start = async (): Promise<void> => {
    stops = [
      lookedUp(
        metrics,
        {
          name: 'webhook_deliveries_outstanding',
          help: 'Deliveries that are not settled, of all replicas: waiting to be tried (counted up to 100,000), or claimed by a dispatcher',
          labels: ['state'],
        },
        async () => {
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
      ),
      lookedUp(
        metrics,
        {
          name: 'webhook_deliveries_oldest_due_seconds',
          help: 'How long the delivery that is overdue longest has been due, of all replicas; 0 without any',
        },
        async () => {
          const waiting = (await waitingWebhooks(sql)).filter(({ open }) => !open).map(({ dueAt }) => dueAt.getTime());
          return [{ value: Math.max(0, clock.now() - Math.min(...waiting, Infinity)) / 1000 }];
        },
      ),
    ];
  };
  return { start, stop: async () => stops.splice(0).forEach((stop) => stop()) };
}
