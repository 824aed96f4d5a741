import type { Pool } from 'pg';
import { forgetDelayed } from './delayed-keys.ts';

/** An event that was given up, with its reason. */
export interface DeadLetter {
  readonly id: string;
  /** Consumer group. */
  readonly consumer: string;
  /** Kind of the event. */
  readonly name: string;
  readonly key: string;
  readonly organizationId: string | undefined;
  readonly reason: string;
  readonly failedAt: Date;
  /** The whole envelope. May hold personal data: bounded by `forgetDeadLetters`. */
  readonly envelope: unknown;
}

export interface DeadLetterStore {
  readonly schema: string;
  readonly pool: Pool;
}

const columns = `id, consumer, name, key, organization_id as "organizationId", reason, failed_at as "failedAt", envelope`;

/** Dead letters, oldest first, 1000 at most. */
export async function listDeadLetters({ pool, schema }: DeadLetterStore, consumer?: string): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetter & { organizationId: string | null }>(
    `SELECT ${columns} FROM "${schema}".dead_letters WHERE $1::text IS NULL OR consumer = $1 ORDER BY failed_at, id LIMIT 1000`,
    [consumer ?? null],
  );
  return rows.map((row) => ({ ...row, organizationId: row.organizationId ?? undefined }));
}

/** Keeps a letter; the same message given up again replaces it. */
export async function keepDeadLetter(
  { pool, schema }: DeadLetterStore,
  letter: Omit<DeadLetter, 'failedAt'>,
): Promise<void> {
  await pool.query(
    `INSERT INTO "${schema}".dead_letters (id, consumer, name, key, organization_id, reason, envelope)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (consumer, name, id) DO UPDATE
       SET reason = excluded.reason, failed_at = now(), put_back_at = NULL`,
    [
      letter.id,
      letter.consumer,
      letter.name,
      letter.key,
      letter.organizationId ?? null,
      letter.reason,
      JSON.stringify(letter.envelope),
    ],
  );
}

/**
 * Marks letters for another try, which follows within some seconds. A letter that succeeds disappears.
 * Other events of the same key may have been handled meanwhile.
 *
 * @param ids absent: all
 * @param consumer absent: all
 * @returns how many
 */
export async function putBackDeadLetters(
  { pool, schema }: DeadLetterStore,
  ids?: readonly string[],
  consumer?: string,
): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE "${schema}".dead_letters SET put_back_at = now()
      WHERE ($1::text[] IS NULL OR id = ANY($1)) AND ($2::text IS NULL OR consumer = $2)`,
    [ids ?? null, consumer ?? null],
  );
  return rowCount ?? 0;
}

/** Taken by one replica, a letter is left alone by the others for so long, seconds. */
const claimSeconds = 30;

/**
 * Takes letters that were put back, oldest first, for this process alone.
 *
 * @param names kinds of events that this process handles
 * @returns their envelopes
 */
export async function claimPutBack<Envelope>(
  { pool, schema }: DeadLetterStore,
  consumer: string,
  names: readonly string[],
  limit: number,
): Promise<Envelope[]> {
  const { rows } = await pool.query<{ envelope: Envelope }>({
    name: `put back ${schema}`,
    text: `UPDATE "${schema}".dead_letters SET put_back_at = clock_timestamp() + make_interval(secs => $3)
      WHERE (consumer, name, id) IN (SELECT consumer, name, id FROM "${schema}".dead_letters
        WHERE consumer = $1 AND name = ANY($2) AND put_back_at <= now() ORDER BY put_back_at LIMIT $4 FOR UPDATE SKIP LOCKED)
      RETURNING envelope`,
    values: [consumer, names, claimSeconds, limit],
  });
  return rows.map(({ envelope }) => envelope);
}

/** Deletes a letter that was put back and is dealt with, unless it was given up again meanwhile. */
export async function removePutBack(
  { pool, schema }: DeadLetterStore,
  consumer: string,
  name: string,
  id: string,
): Promise<void> {
  await pool.query(
    `DELETE FROM "${schema}".dead_letters WHERE consumer = $1 AND name = $2 AND id = $3 AND put_back_at IS NOT NULL`,
    [consumer, name, id],
  );
}

/** Deletes letters that nobody wants to put back. @param ids absent: all @returns how many */
export async function discardDeadLetters(
  { pool, schema }: DeadLetterStore,
  consumer: string,
  ids?: readonly string[],
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM "${schema}".dead_letters WHERE consumer = $2 AND ($1::text[] IS NULL OR id = ANY($1))`,
    [ids ?? null, consumer],
  );
  return rowCount ?? 0;
}

/** Deletes letters and delayed events: all before a time, and all of an organization that is erased. @returns how many */
export async function forgetDeadLetters(
  { pool, schema }: DeadLetterStore,
  which: { readonly before: Date } | { readonly organizationId: string },
): Promise<number> {
  const delayed = await forgetDelayed({ pool, schema }, which);
  const [condition, value] =
    'before' in which ? ['failed_at < $1', which.before] : ['organization_id = $1', which.organizationId];
  const { rowCount } = await pool.query(`DELETE FROM "${schema}".dead_letters WHERE ${condition}`, [value]);
  return delayed + (rowCount ?? 0);
}
