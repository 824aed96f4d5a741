import { readPiece as readCsv, type CsvForm, type CsvPlace } from '@messaging-gateway/csv';
import { invalid } from '@messaging-gateway/messaging';
import { noteFailed, type Imported, type ImportRow } from './importing.ts';

const form: CsvForm = {
  columns: ['phone', 'name', 'tags', 'metadata'],
  refuse: (message) => invalid([{ path: 'body.csv', message }]),
};

/**
 * Reads contacts from a piece of a CSV file. A line that is none is counted in the result as failed. Where `isWhole` is false
 * the caller goes on from `place` with no more text.
 *
 * @throws Refused VALIDATION_ERROR for a first line that names no column `phone`, or one that is not known
 */
export function readPiece(
  place: CsvPlace,
  text: string,
  isLast: boolean,
  result: Imported,
): { rows: ImportRow[]; place: CsvPlace; isWhole: boolean } {
  const read = readCsv(form, place, text, isLast);
  const rows = read.rows.flatMap((row) => {
    if ('cells' in row) return rowOf(row.cells, row.line, result);
    noteFailed(result, row.line, row.fault);
    return [];
  });
  return { ...read, rows };
}

/** A row, or none for one that failed. */
function rowOf(given: ReadonlyMap<string, string>, line: number, result: Imported): ImportRow[] {
  const [name, tags, metadata] = [given.get('name') ?? '', given.get('tags') ?? '', given.get('metadata') ?? ''];
  const contact: Record<string, unknown> = { phone: given.get('phone') ?? '' };
  if (name !== '') contact['name'] = name;
  if (tags !== '') contact['tags'] = tags.split(';').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
  try {
    if (metadata !== '') contact['metadata'] = JSON.parse(metadata) as unknown;
  } catch {
    noteFailed(result, line, 'metadata must be JSON');
    return [];
  }
  return [{ line, contact }];
}
