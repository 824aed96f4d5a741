import { lookedUp } from '@messaging-gateway/runtime';
import type { Running, ServiceTools } from '@messaging-gateway/service';

/** What is not delivered yet, looked up when the metrics are read: each replica tells the same. */
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
          help: 'Deliveries that are not settled, of all replicas: waiting to be tried, or claimed by a dispatcher',
          labels: ['state'],
        },
        async () => {
          const [row] = await sql.query<{ claimed: number; waiting: number }>(
            'SELECT count(*) FILTER (WHERE due_at IS NULL)::int AS claimed, count(due_at)::int AS waiting FROM outstanding',
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
          const now = new Date(clock.now());
          const [row] = await sql.query<{ due: Date | null }>(
            'SELECT min(o.due_at) AS due FROM outstanding o LEFT JOIN failing f USING (webhook_id) WHERE o.due_at <= $1 AND NOT coalesce(f.open, false)',
            [now],
          );
          return [{ value: row?.due ? (now.getTime() - row.due.getTime()) / 1000 : 0 }];
        },
      ),
    ];
  };
  return { start, stop: async () => stops.splice(0).forEach((stop) => stop()) };
}
