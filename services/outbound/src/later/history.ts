import type { History } from '@messaging-gateway/service';
import { batchStream } from '../bulk/batch-stream.ts';
import { scheduleStream } from '../schedule/schedule-stream.ts';

/** Scheduled messages in one transaction, at most. */
const schedulesAtOnce = 500;
/** Batches in one transaction, at most: each has up to 1000 messages, and as many events. */
const batchesAtOnce = 5;

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/**
 * What was sent later and is settled goes after SEND_HISTORY_RETENTION_DAYS. Whoever is still to be looked at is not settled.
 *
 * @see docs/decisions/0486-retention-of-scheduled-messages.md
 */
export const sendHistory = (days: number): History[] => [
  {
    stream: scheduleStream,
    days,
    settled: async (sql, before) =>
      idsOf(
        await sql.query(
          `select schedule_id as id from schedules
           where coalesce(settled_at, due_at) < $1 and next_look_at is null and status in ('sent', 'failed', 'cancelled')
           order by coalesce(settled_at, due_at) limit $2 for update skip locked`,
          [before, schedulesAtOnce],
        ),
      ),
    forget: async (sql, ids) => {
      await sql.query('delete from schedules where schedule_id = any ($1::uuid[])', [ids]);
    },
  },
  {
    stream: batchStream,
    days,
    settled: async (sql, before) =>
      idsOf(
        await sql.query(
          `select batch_id as id from batches where completed_at < $1 and next_look_at is null
           order by completed_at limit $2 for update skip locked`,
          [before, batchesAtOnce],
        ),
      ),
    forget: async (sql, ids) => {
      await sql.query('delete from batch_items where batch_id = any ($1::uuid[])', [ids]);
      await sql.query('delete from batches where batch_id = any ($1::uuid[])', [ids]);
    },
  },
];
