import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { ClientBase, Pool } from 'pg';
import { inSchema } from './journal-migration.ts';

/** The text that is sealed, to be opened by the right key only. */
const knownText = 'messaging-gateway';
const boundTo = (schema: string): string => `known value of ${schema}`;

/** The data are sealed with another `ENCRYPTION_KEY` than the one that is given. */
export class WrongKey extends Error {
  /** @param sealedWith ids of the keys that the data are sealed with */
  constructor(sealedWith: readonly string[], given: string) {
    super(
      `The data are sealed with another ENCRYPTION_KEY (${sealedWith.join(', ')}) than the one given (${given}): give the one that they were made with; if it was changed on purpose, the former one belongs into ENCRYPTION_KEY_PREVIOUS. ` +
        'In one process without the variable, the key is in secrets.json under DATA_DIR: put the former file back.',
    );
    this.name = 'WrongKey';
  }
}

/** Sealed values that show whether a key is the right one. */
export interface KeyEvidence {
  readonly schema: string;
  /** Absent: the journal was made by a version that kept none. */
  readonly knownValue: Buffer | undefined;
  /** Sealed keys of subjects, at least one for each key that they are sealed with. */
  readonly subjectKeys: readonly { readonly subject: string; readonly sealed: Buffer }[];
}

/**
 * Where there is no known value, one key of a subject that opens is enough: others may be sealed with a key that was
 * lost long ago.
 *
 * @throws WrongKey
 */
export function assertOpens({ schema, knownValue, subjectKeys }: KeyEvidence, encryption: EncryptionKeys): void {
  const sealed =
    knownValue === undefined
      ? subjectKeys.map((key) => ({ sealed: key.sealed, bound: key.subject }))
      : [{ sealed: knownValue, bound: boundTo(schema) }];
  if (sealed.length === 0 || sealed.some((one) => opens(encryption, one.sealed, one.bound))) return;
  throw new WrongKey([...new Set(sealed.map((one) => keyIdOf(one.sealed)))], encryption.currentKeyId);
}

/** Checks the key against what a journal holds, of whatever version it is. @throws WrongKey */
export async function assertRightKey(
  database: Pool | ClientBase,
  schema: string,
  encryption: EncryptionKeys,
): Promise<void> {
  assertOpens(await evidenceIn(database, schema), encryption);
}

/**
 * Checks the key, and keeps a value under it where there is none yet. Of several processes that start at once with
 * different keys one wins.
 *
 * @throws WrongKey
 */
export async function keepKnownValue(pool: Pool, schema: string, encryption: EncryptionKeys): Promise<void> {
  const evidence = await evidenceIn(pool, schema);
  assertOpens(evidence, encryption);
  if (evidence.knownValue !== undefined) return;
  await pool.query(inSchema('UPDATE {schema}.journal SET known_value = $1 WHERE known_value IS NULL', schema), [
    encryption.seal(Buffer.from(knownText), boundTo(schema)),
  ]);
  await assertRightKey(pool, schema, encryption);
}

/** Seals the known value with the current key, when everything else is. */
export async function resealKnownValue(pool: Pool, schema: string, encryption: EncryptionKeys): Promise<void> {
  const { knownValue } = await evidenceIn(pool, schema);
  if (knownValue === undefined || keyIdOf(knownValue) === encryption.currentKeyId) return;
  const bound = boundTo(schema);
  await pool.query(inSchema('UPDATE {schema}.journal SET known_value = $1 WHERE known_value = $2', schema), [
    encryption.seal(encryption.open(knownValue, bound), bound),
    knownValue,
  ]);
}

/** A journal of an earlier version has no such column. */
const knownValueText = `SELECT to_jsonb(j) ->> 'known_value' AS "knownValue" FROM {schema}.journal j`;
const subjectKeysText = `SELECT DISTINCT ON (substring(sealed FROM 2 FOR 4)) subject, sealed FROM {schema}.subject_keys
  WHERE sealed IS NOT NULL`;

async function evidenceIn(database: Pool | ClientBase, schema: string): Promise<KeyEvidence> {
  const { rows } = await database.query<{ knownValue: string | null }>(inSchema(knownValueText, schema));
  const known = rows[0]?.knownValue ?? undefined;
  if (known !== undefined) return { schema, knownValue: fromHex(known), subjectKeys: [] };
  const keys = await database.query<{ subject: string; sealed: Buffer }>(inSchema(subjectKeysText, schema));
  return { schema, knownValue: undefined, subjectKeys: keys.rows };
}

/** Bytes as PostgreSQL writes them: `\x` and hex digits. */
export const fromHex = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');

/** A ciphertext names its key in the bytes 1 to 4 (libs/runtime, encryption). */
const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 5).toString('hex');

function opens(encryption: EncryptionKeys, sealed: Buffer, bound: string): boolean {
  try {
    encryption.open(sealed, bound);
    return true;
  } catch {
    return false;
  }
}
