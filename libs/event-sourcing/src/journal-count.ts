import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { JournalReader } from './event-store.ts';
import { inSchema } from './journal-migration.ts';
import { columnsOf, placeOf } from './place-columns.ts';
import { isReadable, type Settled } from './settled-below.ts';
import type { StoredRow } from './stored-rows.ts';

const countText = `
  WITH counted AS MATERIALIZED (
    SELECT e.generation, e.transaction_id, e.position FROM {schema}.events e CROSS JOIN {schema}.journal j
     WHERE (e.generation, e.transaction_id, e.position) > ($1::int, $2::text::xid8, $3::bigint)
       AND (e.generation, e.transaction_id, e.position) <= ($4::int, $5::text::xid8, $6::bigint)
       AND ($7 OR ${isReadable('$8', '$9')}))
  SELECT (SELECT count(*)::int FROM counted) AS count, c.generation, c.transaction_id, c.position FROM counted c
   ORDER BY c.generation DESC, c.transaction_id DESC, c.position DESC LIMIT 1`;

/** Whether nobody is writing: a writer to the table holds this lock from before the first row until the end of the transaction. */
const quietText = `
  SELECT NOT EXISTS (
    SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND l.relation = '{schema}.events'::regclass AND l.mode = 'RowExclusiveLock'
  ) AS quiet`;

/**
 * Counts entries of a journal without reading them.
 *
 * @param settled what is known of `settledBelow`
 */
export function journalCount(
  pool: Pool,
  schema: string,
  settled: () => Settled,
): Pick<JournalReader, 'count' | 'isQuiet'> {
  const rowsOf = async <Row extends object>(name: string, text: string, values: readonly unknown[] = []) => {
    try {
      return (await pool.query<Row>({ name, text: inSchema(text, schema), values: [...values] })).rows;
    } catch (error) {
      throw databaseError(error);
    }
  };
  return {
    count: async (after, upTo, wasQuiet = false) => {
      const values = [...columnsOf(after), ...columnsOf(upTo), wasQuiet, settled().generation, String(settled().below)];
      const [row] = await rowsOf<StoredRow & { count: number }>('journal_count', countText, values);
      return { count: row?.count ?? 0, last: row && placeOf(row) };
    },
    isQuiet: async () => {
      const [row] = await rowsOf<{ quiet: boolean }>('journal_quiet', quietText);
      return row?.quiet === true;
    },
  };
}
