import type { ServiceTools } from '@messaging-gateway/service';

/** What waits in the lanes of all replicas: each replica tells the same. */
export const queueGauges = ({ sql, clock }: Pick<ServiceTools<unknown>, 'sql' | 'clock'>) => [
  {
    name: 'outbound_queue_messages',
    help: 'Messages accepted and not settled, of all replicas: waiting to go out, or unsettled because their outcome is not known',
    labels: ['state'],
    look: async () => {
      const rows = await sql.query<{ unsettled: boolean; count: number }>(
        'SELECT outcome_lost AS unsettled, count(*)::int AS count FROM queue GROUP BY outcome_lost',
      );
      const count = (lost: boolean): number => rows.find(({ unsettled }) => unsettled === lost)?.count ?? 0;
      return [
        { labels: { state: 'waiting' }, value: count(false) },
        { labels: { state: 'unsettled' }, value: count(true) },
      ];
    },
  },
  {
    name: 'outbound_queue_oldest_seconds',
    help: 'Age of the oldest message that is accepted and not settled, of all replicas; 0 without any',
    look: async () => {
      const [row] = await sql.query<{ oldest: Date | null }>('SELECT min(accepted_at) AS oldest FROM queue');
      return [{ value: row?.oldest ? Math.max(0, clock.now() - row.oldest.getTime()) / 1000 : 0 }];
    },
  },
];
