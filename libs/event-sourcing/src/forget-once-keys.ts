import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import { inTransaction } from './in-transaction.ts';

/** Keys in one transaction, at most. */
const portion = 10_000;
/** Portions of one turn, 5 million keys; the rest waits for the next turn. */
const portions = 500;

/**
 * Deletes `once` keys from before a time, each portion in a short transaction of its own.
 *
 * @param signal aborted: no further portion is begun
 * @returns how many were deleted
 */
export async function forgetOnceKeys(pool: Pool, schema: string, before: Date, signal?: AbortSignal): Promise<number> {
  const text = inSchema(
    'DELETE FROM {schema}.once WHERE ctid = ANY (ARRAY(SELECT o.ctid FROM {schema}.once o WHERE o.at < $1 LIMIT $2))',
    schema,
  );
  let deleted = 0;
  for (let count = portion, turn = 0; count === portion && turn < portions && signal?.aborted !== true; turn += 1) {
    count = await inTransaction(pool, async (client) => {
      // Never the whole table: its index tells where the old ones are.
      await client.query('SET LOCAL enable_seqscan = off');
      return (await client.query(text, [before, portion])).rowCount ?? 0;
    });
    deleted += count;
  }
  return deleted;
}
