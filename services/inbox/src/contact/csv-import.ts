import { Refused } from '@messaging-gateway/messaging';
import { Parser, type CsvError } from 'csv-parse';
import { readCell } from './csv-cells.ts';
import { noteFailed, type Imported, type ImportRow } from './importing.ts';

/** What is carried from one piece of a file to the next. */
export interface CsvPlace {
  /** Columns by their place; absent until the first line was read. */
  readonly columns?: readonly string[];
  /** The beginning of a record that the next piece ends. */
  readonly rest: string;
  /** Line ends before the rest. */
  readonly lines: number;
}

const known = ['phone', 'name', 'tags', 'metadata'];
/** A record that is longer lacks a quote, bytes. */
const mostRecordBytes = 256 * 1024;
const lineEnd = 0x0a;

/**
 * Reads the whole records of a piece of a CSV file. A line that is no CSV is counted in the result as failed, and
 * reading goes on with the next one.
 *
 * @throws Refused VALIDATION_ERROR for a first line that names no column `phone`, or one that is not known
 */
export function readPiece(
  place: CsvPlace,
  text: string,
  isLast: boolean,
  result: Imported,
): { rows: ImportRow[]; place: CsvPlace } {
  const bytes = Buffer.from(place.rest + text);
  const rows: ImportRow[] = [];
  let { columns } = place;
  let [from, lines] = [0, place.lines];
  for (;;) {
    const { records, end, fault } = recordsOf(bytes.subarray(from), isLast);
    for (const { cells, until } of records) {
      const line = lines + lineOf(bytes.subarray(from), cells, until);
      if (columns === undefined) columns = columnsOf(cells);
      else if (cells.length > columns.length) noteFailed(result, line, 'has more cells than there are columns');
      else rows.push(...rowOf(columns, cells, line, result));
    }
    lines += linesIn(bytes.subarray(from), end);
    from += end;
    const message = fault ?? (bytes.length - from > mostRecordBytes ? 'has a quote that is not closed' : undefined);
    if (message === undefined) break;
    if (columns === undefined) throw noHeader();
    const next = bytes.indexOf(lineEnd, from);
    if (next === -1 && !isLast) {
      if (bytes.length - from <= mostRecordBytes) break; // found again when the whole line is there
      throw invalid(`has a line that is too long: ${lines + 1}`);
    }
    lines += 1;
    noteFailed(result, lines, message);
    from = next === -1 ? bytes.length : next + 1;
  }
  if (isLast && columns === undefined) throw noHeader();
  return { rows, place: { ...(columns && { columns }), rest: bytes.subarray(from).toString(), lines } };
}

interface CsvRecord {
  readonly cells: readonly string[];
  /** Behind its line end. */
  readonly until: number;
}

interface Records {
  readonly records: CsvRecord[];
  /** Behind the last whole record, or before the one that is no CSV. */
  readonly end: number;
  readonly fault?: string | undefined;
}

/** Ends the reading: the parser would go on behind the fault in ways of its own. */
class Halt extends Error {}

function recordsOf(bytes: Buffer, isLast: boolean): Records {
  const records: CsvRecord[] = [];
  let fault: string | undefined;
  const parser: Parser = new Parser({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    on_record: (cells: string[]) => {
      if (fault === undefined) records.push({ cells, until: parser.info.bytes });
      return null;
    },
    on_skip: (error: CsvError | undefined) => {
      fault = sentences[error?.code ?? ''] ?? 'is not CSV';
      throw new Halt();
    },
  });
  parser.on('error', () => undefined);
  try {
    parser.write(bytes);
    if (isLast) parser.end();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
  parser.destroy();
  const end = records.at(-1)?.until ?? 0;
  return { records, end: isLast && fault === undefined ? bytes.length : end, fault };
}

const sentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'goes on behind a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote in a cell that does not begin with one',
};

/** The line, from 1, on which a record begins. */
function lineOf(bytes: Buffer, cells: readonly string[], until: number): number {
  const inside = cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
  return linesIn(bytes, until) + (bytes[until - 1] === lineEnd ? 0 : 1) - inside;
}

function linesIn(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at !== -1 && at < end; at = bytes.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
}

function columnsOf(cells: readonly string[]): string[] {
  const columns = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = columns.find((column) => !known.includes(column));
  if (unknown !== undefined) throw invalid(`has a column that is not known: ${JSON.stringify(unknown.slice(0, 50))}`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw invalid(`has the column ${twice} twice`);
  if (!columns.includes('phone')) throw noHeader();
  return columns;
}

/** A row, or none for an empty line and one that failed. */
function rowOf(columns: readonly string[], cells: readonly string[], line: number, result: Imported): ImportRow[] {
  if (cells.every((cell) => cell.trim() === '')) return [];
  const given = new Map(columns.map((column, index) => [column, readCell(cells[index] ?? '').trim()]));
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

const noHeader = (): Refused => invalid('must begin with a line that names the columns, phone among them');
const invalid = (message: string): Refused =>
  new Refused('VALIDATION_ERROR', `body.csv ${message}.`, [{ path: 'body.csv', message }]);
