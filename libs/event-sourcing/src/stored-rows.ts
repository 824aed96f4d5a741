import {
  decodeData,
  openMark,
  type StoredMetadata,
  type StreamCatalogue,
  subjectOf,
  subjectOfMark,
} from './event-codec.ts';
import type { ReadEntry } from './journal-entry.ts';
import { placeOf, type PlaceColumns } from './place-columns.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { unreadableAs } from './unreadable.ts';

/** A row of the journal as the driver gives it. */
export interface StoredRow extends PlaceColumns {
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

/** Reads rows back: fetches the keys that are missing, decrypts, upcasts. What cannot be read keeps its place among them. */
export async function entriesOf(
  rows: readonly StoredRow[],
  catalogue: StreamCatalogue,
  keys: SubjectKeys,
): Promise<ReadEntry[]> {
  await keys.ensure(new Set(rows.flatMap(subjectsOf)), false);
  return rows.map((row) => entryOf(row, catalogue, keys));
}

/** Subjects whose keys are needed to read the row. */
function subjectsOf({ data, metadata }: StoredRow): string[] {
  if (!isObject(data) || !isObject(metadata)) return [];
  return [subjectOf(data, metadata), subjectOfMark(metadata)].filter((subject) => typeof subject === 'string');
}

function entryOf(row: StoredRow, catalogue: StreamCatalogue, keys: SubjectKeys): ReadEntry {
  const { stream, version, type, at } = row;
  const place = placeOf(row);
  try {
    const storage = catalogue.storageOf(stream, type);
    if (!isObject(row.data) || !isObject(row.metadata)) throw new Error('Its data or metadata are no object.');
    const metadata = openMark(row.metadata, keys);
    const stored = { stream, type, schemaVersion: row.schema_version, data: row.data, metadata };
    return { place, stream, version, type, data: decodeData(storage, stored, keys), metadata, at };
  } catch (fault) {
    const { organizationId } = isObject(row.metadata) ? row.metadata : {};
    const known = typeof organizationId === 'string' && { organizationId };
    return { place, stream, version, type, at, ...known, unreadable: unreadableAs(fault) };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
