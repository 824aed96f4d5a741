import type { Clock } from '@messaging-gateway/runtime';
import type { DueTable } from './due-rows.ts';
import type { FeatureGauge } from './feature.ts';
import type { Sql } from './sql.ts';

export interface DueGauges extends Pick<DueTable, 'table' | 'due'> {
  /** Beginning of the metrics' names, for example `notification_pushes`. */
  readonly name: string;
  /** What rows are, for the meaning: `Pushes`. */
  readonly what: string;
}

/** Counting must not cost more the more waits. */
const mostCounted = 100_000;

/** How many rows somebody has to attend to, now or later, and how long the one has been due that nobody has attended to. */
export function dueGauges(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  { table, due, name, what }: DueGauges,
): readonly FeatureGauge[] {
  return [
    {
      name: `${name}_waiting`,
      help: `${what} that wait for their time or their next try, of all replicas, counted up to 100,000`,
      look: async () => {
        const [row] = await sql.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE ${due} IS NOT NULL LIMIT ${mostCounted}) w`,
        );
        return [{ value: row?.count ?? 0 }];
      },
    },
    {
      name: `${name}_oldest_due_seconds`,
      help: `${what}: how long the one has been due that is overdue longest, of all replicas; 0 without any`,
      look: async () => {
        const [row] = await sql.query<{ due: Date | null }>(
          `SELECT min(${due}) AS due FROM ${table} WHERE ${due} IS NOT NULL`,
        );
        const overdueMs = row?.due ? clock.now() - row.due.getTime() : 0;
        return [{ value: Math.max(0, overdueMs) / 1000 }];
      },
    },
  ];
}
