import type { Clock } from '@messaging-gateway/runtime';
import { databaseError } from '@messaging-gateway/runtime';
import type { ClientBase, Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import { inTransaction } from './run-async-views.ts';
import type { ErasureLog } from './store-options.ts';
import type { SubjectKeys } from './subject-keys.ts';

interface EraseTools {
  readonly pool: Pool;
  readonly schema: string;
  readonly keys: SubjectKeys;
  readonly clock: Clock;
  readonly log: ErasureLog | undefined;
}

/**
 * Destroys the key of a subject and the snapshots that hold its data. What is left of the key is a mark that it was
 * erased, so that it is never made again. Twice has the effect of once.
 */
export async function eraseSubject({ pool, schema, keys, clock, log }: EraseTools, subject: string): Promise<void> {
  await log?.add({ schema, subject, at: new Date(clock.now()).toISOString() });
  try {
    await eraseKey(pool, schema, subject);
  } catch (error) {
    throw databaseError(error);
  }
  keys.forget(subject);
  // The row's former version holds the key until it is vacuumed. It will be, sooner or later: this is sooner.
  await pool.query(inSchema('VACUUM (SKIP_LOCKED) {schema}.subject_keys', schema)).catch(() => undefined);
}

async function eraseKey(pool: Pool, schema: string, subject: string): Promise<void> {
  await inTransaction(pool, (client) => eraseKeyOn(client, schema, subject));
}

/** The database's part of an erasure, inside a transaction. @returns whether there was anything to erase */
export async function eraseKeyOn(client: ClientBase, schema: string, subject: string): Promise<boolean> {
  const { rowCount } = await client.query(
    inSchema(
      `INSERT INTO {schema}.subject_keys AS k (subject, erased_at, erasure) VALUES ($1, now(), nextval('{schema}.erasures'))
       ON CONFLICT (subject) DO UPDATE SET sealed = NULL, erased_at = excluded.erased_at, erasure = excluded.erasure
       WHERE k.sealed IS NOT NULL`,
      schema,
    ),
    [subject],
  );
  // A statement of its own: a snapshot written while this one waited for its lock is seen and deleted.
  await client.query(inSchema('DELETE FROM {schema}.snapshots WHERE subjects @> ARRAY[$1]', schema), [subject]);
  return (rowCount ?? 0) > 0;
}
