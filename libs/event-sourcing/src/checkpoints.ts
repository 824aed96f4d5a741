import type { JournalPlace } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import type { ViewSql } from './view-sql.ts';

interface PlaceRow {
  readonly generation: number | null;
  readonly transaction_id: string | null;
  readonly position: string | null;
}

/** How far a consumer of a journal has come; undefined: not begun. */
export async function readCheckpoint(
  sql: ViewSql,
  schema: string,
  name: string,
  lock = false,
): Promise<JournalPlace | undefined> {
  const text = `SELECT generation, transaction_id, position FROM {schema}.checkpoints WHERE name = $1 ${lock ? 'FOR UPDATE' : ''}`;
  const [row] = await sql.query<PlaceRow>(inSchema(text, schema), [name]);
  return row === undefined ? undefined : placeOf(row);
}

export async function writeCheckpoint(
  sql: ViewSql,
  schema: string,
  name: string,
  place: JournalPlace | undefined,
): Promise<void> {
  await sql.query(
    inSchema(
      `INSERT INTO {schema}.checkpoints (name, generation, transaction_id, position) VALUES ($1, $2, $3::text::xid8, $4)
       ON CONFLICT (name) DO UPDATE SET generation = excluded.generation, transaction_id = excluded.transaction_id,
         position = excluded.position, updated_at = now()`,
      schema,
    ),
    [name, place?.generation, place?.transactionId.toString(), place?.position.toString()],
  );
}

/** A place from its columns; undefined where they are null. */
export function placeOf(row: PlaceRow): JournalPlace | undefined {
  if (row.generation === null || row.transaction_id === null || row.position === null) return undefined;
  return { generation: row.generation, transactionId: BigInt(row.transaction_id), position: BigInt(row.position) };
}

/** Negative, zero or positive as the first place comes before, with or after the second; undefined is the beginning. */
export function comparePlaces(a: JournalPlace | undefined, b: JournalPlace | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (a.generation !== b.generation) return a.generation - b.generation;
  if (a.transactionId !== b.transactionId) return a.transactionId < b.transactionId ? -1 : 1;
  if (a.position === b.position) return 0;
  return a.position < b.position ? -1 : 1;
}
