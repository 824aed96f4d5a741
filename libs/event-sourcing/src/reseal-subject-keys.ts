import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import { resealKnownValue } from './right-key.ts';
import { inTransaction } from './in-transaction.ts';

const portion = 500;
/** A ciphertext names its key in the bytes 1 to 4 (libs/runtime, encryption). */
const staleText = `SELECT subject, sealed FROM {schema}.subject_keys
  WHERE sealed IS NOT NULL AND encode(substring(sealed FROM 2 FOR 4), 'hex') <> $1 ORDER BY subject LIMIT $2 FOR UPDATE`;

/**
 * Encrypts the keys of all subjects with the current `ENCRYPTION_KEY`, so that the previous one can go. Events stay as
 * they are: they are encrypted with the subjects' keys. Runs beside everything else, in small transactions.
 *
 * @returns how many were encrypted anew
 */
export async function resealSubjectKeys(pool: Pool, schema: string, encryption: EncryptionKeys): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ subject: string; sealed: Buffer }>(inSchema(staleText, schema), [
        encryption.currentKeyId,
        portion,
      ]);
      const sealed = rows.map((row) => encryption.seal(encryption.open(row.sealed, row.subject), row.subject));
      await client.query(
        inSchema(
          `UPDATE {schema}.subject_keys k SET sealed = x.sealed FROM unnest($1::text[], $2::bytea[]) AS x(subject, sealed)
            WHERE k.subject = x.subject`,
          schema,
        ),
        [rows.map((row) => row.subject), sealed],
      );
      return rows.length;
    });
    total += count;
    if (count < portion) break;
  }
  await resealKnownValue(pool, schema, encryption);
  return total;
}
