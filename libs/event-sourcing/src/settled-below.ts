import type { Pool, PoolClient } from 'pg';
import { inSchema } from './journal-migration.ts';

/**
 * Processes that may still write to this very table: each holds, or waits for, a lock that lets it write, from before
 * its first row, and so from before it has a transaction id, until after its commit can be seen. Transaction ids are
 * told without their epoch. A transaction prepared for a two-phase commit belongs to no process: then nothing is known.
 */
const writersText = `
  WITH writers AS MATERIALIZED (
    SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND l.relation = '{schema}.events'::regclass
       AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
  SELECT (SELECT generation FROM {schema}.journal) AS generation, pg_snapshot_xmax(pg_current_snapshot())::text AS next,
         EXISTS (SELECT FROM writers w WHERE w.pid IS NULL) AS prepared,
         ARRAY(SELECT a.backend_xid::text FROM pg_stat_get_activity(NULL) a JOIN writers w ON w.pid = a.pid
                WHERE a.backend_xid IS NOT NULL) AS open`;

interface Row {
  readonly generation: number;
  readonly next: string;
  readonly prepared: boolean;
  readonly open: readonly string[];
}

const epoch = 1n << 32n;

/** A transaction id below which nothing can come into a generation of a journal any more. */
export interface Settled {
  readonly generation: number;
  readonly below: bigint;
}

/** Whether an entry `e` can be read: SQL with the journal's row as `j`. */
export const isReadable = (generation: string, below: string): string =>
  `(e.generation < j.generation OR e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    OR (j.generation = ${generation}::int AND e.transaction_id < ${below}::text::xid8))`;

/** Of no transaction is it known whether it is settled. */
export const nothingSettled: Settled = { generation: 0, below: 0n };

/**
 * Below which transaction id no entry can come into the journal any more, whatever other transactions are open on the
 * server. It holds for every statement that begins afterwards, for as long as the generation lasts.
 *
 * Why: let N be the id behind all that had ended when the statement began. A writer that commits an entry with an id x below
 * N had its lock before it had x. If it held the lock when locks were looked at, x was found (it had it by then, as all ids
 * given out later are N or more), and the answer is x at most. If not, it had ended before, and later statements see it.
 *
 * @see docs/decisions/0502-transactions-of-strangers.md
 */
export async function settledBelow(database: Pool | PoolClient, schema: string): Promise<Settled> {
  const { rows } = await database.query<Row>({ name: 'journal_writers', text: inSchema(writersText, schema) });
  const [row] = rows;
  if (row === undefined || row.prepared) return nothingSettled;
  const next = BigInt(row.next);
  const below = row.open
    .map((id) => withEpoch(BigInt(id), next))
    .reduce((least, id) => (id < least ? id : least), next);
  return { generation: row.generation, below };
}

/** Ids that are open lie less than half the circle behind the next one, or ahead of it. */
function withEpoch(id: bigint, next: bigint): bigint {
  const behind = (next - id) % epoch;
  const distance = behind < 0n ? behind + epoch : behind;
  return distance < epoch / 2n ? next - distance : next;
}
