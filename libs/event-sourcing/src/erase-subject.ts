import { databaseError } from '@messaging-gateway/runtime';
import type { ClientBase, Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import { inTransaction } from './in-transaction.ts';
import type { SubjectKeys } from './subject-keys.ts';

interface EraseTools {
  readonly pool: Pool;
  readonly schema: string;
  readonly keys: SubjectKeys;
}

/**
 * Destroys the key of a subject and the snapshots that hold its data. What is left of the key is a mark that it was
 * erased, so that it is never made again. Twice has the effect of once.
 */
export async function eraseSubject({ pool, schema, keys }: EraseTools, subject: string): Promise<void> {
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
async function eraseKeyOn(client: ClientBase, schema: string, subject: string): Promise<boolean> {
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

/**
 * Destroys keys that a copy of the database brought back, inside a transaction of the caller's.
 *
 * @returns the schemas where there was something to erase: their views are to be rebuilt before anything starts
 */
export async function eraseAgain(
  client: ClientBase,
  schemas: readonly string[],
  subjects: readonly string[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const schema of schemas) {
    let erased = 0;
    for (const subject of subjects) if (await eraseKeyOn(client, schema, subject)) erased += 1;
    if (erased > 0) changed.push(schema);
  }
  return changed;
}
