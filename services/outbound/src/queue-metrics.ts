import { lookedUp } from '@messaging-gateway/runtime';
import type { Running, ServiceTools } from '@messaging-gateway/service';

/** What waits in the lanes of all replicas, looked up when the metrics are read: each replica tells the same. */
export function queueMetrics({
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
          name: 'outbound_queue_messages',
          help: 'Messages accepted and not settled, of all replicas: waiting to go out, or unsettled because their outcome is not known',
          labels: ['state'],
        },
        async () => {
          const rows = await sql.query<{ unsettled: boolean; count: number }>(
            'select outcome_lost as unsettled, count(*)::int as count from queue group by outcome_lost',
          );
          const count = (lost: boolean): number => rows.find(({ unsettled }) => unsettled === lost)?.count ?? 0;
          return [
            { labels: { state: 'waiting' }, value: count(false) },
            { labels: { state: 'unsettled' }, value: count(true) },
          ];
        },
      ),
      lookedUp(
        metrics,
        {
          name: 'outbound_queue_oldest_seconds',
          help: 'Age of the oldest message that is accepted and not settled, of all replicas; 0 without any',
        },
        async () => {
          const [row] = await sql.query<{ oldest: Date | null }>('select min(accepted_at) as oldest from queue');
          return [{ value: row?.oldest ? Math.max(0, clock.now() - row.oldest.getTime()) / 1000 : 0 }];
        },
      ),
    ];
  };
  return { start, stop: async () => stops.splice(0).forEach((stop) => stop()) };
}
