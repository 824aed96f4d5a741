import { setTimeout as sleep } from 'node:timers/promises';
import { databaseError, isLost } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import type { Group } from './pending-command.ts';

const text = `SELECT e.stream FROM unnest($1::text[], $2::int[], $3::bigint[]) AS x(s, v, i)
  JOIN {schema}.events e ON e.stream = x.s AND e.version = x.v AND e.append_id = x.i`;

/**
 * Which of these groups stand in the journal as this process wrote them. Asks until the database answers.
 *
 * @param signal aborted when the store gives up
 * @throws Unavailable when it was given up
 */
export async function ownWrites(
  pool: Pool,
  schema: string,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const values = [
    groups.map((group) => group.stream),
    groups.map((group) => group.before.version + 1),
    groups.map((group) => group.events[0]?.appendId),
  ];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { rows } = await pool.query<{ stream: string }>(inSchema(text, schema), values);
      return new Set(rows.map((row) => row.stream));
    } catch (error) {
      if (signal.aborted || !isLost(error)) throw databaseError(error);
      await sleep(resendAfter(attempt));
    }
  }
}

/** Milliseconds until the next attempt. */
export const resendAfter = (attempt: number): number => Math.min(50 * attempt, 500);
