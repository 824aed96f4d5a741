import { openMark, subjectOfMark, type StoredMetadata } from './audit-mark.ts';
import { decodeData, subjectOf } from './event-codec.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { StreamCatalogue } from './stream-catalogue.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** A row of the journal as the driver gives it. */
export interface StoredRow {
  readonly generation: number;
  readonly transaction_id: string;
  readonly position: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly append_id: string;
  readonly data: Record<string, unknown>;
  readonly metadata: StoredMetadata;
  readonly at: Date;
}

export const storedColumns = (alias: string): string =>
  [
    'generation',
    'transaction_id',
    'position',
    'stream',
    'version',
    'type',
    'schema_version',
    'append_id',
    'data',
    'metadata',
    'at',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ');

/** Reads rows back: fetches the keys that are missing, decrypts, upcasts. */
export async function entriesOf(
  rows: readonly StoredRow[],
  catalogue: StreamCatalogue,
  keys: SubjectKeys,
): Promise<JournalEntry[]> {
  const subjects = new Set<string>();
  for (const row of rows) {
    const subject = subjectOf(row.data, row.metadata);
    if (subject !== undefined) subjects.add(subject);
    const origin = subjectOfMark(row.metadata);
    if (origin !== undefined) subjects.add(origin);
  }
  await keys.ensure(subjects, false);
  return rows.map((row) => entryOf(row, catalogue, keys));
}

function entryOf(row: StoredRow, catalogue: StreamCatalogue, keys: SubjectKeys): JournalEntry {
  const { stream, version, type, at } = row;
  const metadata = openMark(row.metadata, keys);
  const stored = { stream, type, schemaVersion: row.schema_version, data: row.data, metadata };
  return {
    place: { generation: row.generation, transactionId: BigInt(row.transaction_id), position: BigInt(row.position) },
    stream,
    version,
    type,
    data: decodeData(catalogue.storageOf(stream, type), stored, keys),
    metadata,
    at,
  };
}
