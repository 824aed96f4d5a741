import { Parser, type CsvError } from 'csv-parse';
import { readCell } from './cells.ts';

/** The place in a file, carried from one piece of it to the next. */
export interface CsvPlace {
  /** Delimiter of cells; absent until the beginning of the file was read. A file under way in the version before has commas. */
  readonly delimiter?: string;
  /** Columns by their place; absent until the first line was read. */
  readonly columns?: readonly string[];
  /** The beginning of a record that the next piece ends. */
  readonly rest: string;
  /** Line ends before the rest. */
  readonly lines: number;
}

/** Of what a file must be. */
export interface CsvForm {
  /** Names of its columns, in any order and in any case; the first one must be there. */
  readonly columns: readonly string[];
  /** Error for a file that is no CSV. @param message goes on after the file's name */
  readonly refuse: (message: string) => Error;
}

/** A line of a file that is not empty: its cells by column, or what is wrong with it. */
export type CsvLine =
  | { readonly line: number; readonly cells: ReadonlyMap<string, string> }
  | { readonly line: number; readonly fault: string };

/** Delimiters that may stand between cells. Spreadsheets take `;` where a comma stands in numbers. */
const delimiters = [',', ';', '\t'];
/** A record that is longer lacks a quote, bytes. */
const mostRecordBytes = 256 * 1024;
/** Records that are read before others have their turn. */
const mostAtOnce = 1000;
/** Cost of a line that is no CSV: the parser begins anew behind it. */
const costOfFault = 10;
const lineEnd = 0x0a;

/**
 * Reads the whole records of a piece of a CSV file. A line that is no CSV comes with its fault, and reading goes on with the next one. It
 * costs little at once: where `isWhole` is false the caller goes on from `place` with no more text.
 *
 * @throws what `refuse` makes, for a first line without the first column, or with one that is not known
 */
export function readPiece(
  form: CsvForm,
  place: CsvPlace,
  text: string,
  isLast: boolean,
): { rows: CsvLine[]; place: CsvPlace; isWhole: boolean } {
  const { refuse } = form;
  const bytes = Buffer.from(place.rest + text);
  const rows: CsvLine[] = [];
  const beginning = beginningOf(form, place, bytes, isLast);
  if (beginning === undefined) return { rows, place: { ...place, rest: bytes.toString() }, isWhole: true };
  const { delimiter } = beginning;
  let { columns } = place;
  let [from, lines, read] = [beginning.from, place.lines + beginning.lines, 0];
  let isWhole = true;
  for (;;) {
    const { records, end, fault, isCut } = recordsOf(bytes.subarray(from), delimiter, isLast, mostAtOnce - read);
    read += records.length + costOfFault;
    const begin = from;
    for (const { cells, until } of records) {
      const line = lines + 1;
      lines += linesIn(bytes.subarray(from, begin + until));
      from = begin + until;
      if (columns === undefined) columns = columnsOf(form, cells);
      else if (cells.length > columns.length) rows.push({ line, fault: 'has more cells than there are columns' });
      else rows.push(...lineOf(columns, cells, line));
    }
    lines += linesIn(bytes.subarray(from, begin + end));
    from = begin + end;
    if (isCut) {
      isWhole = false;
      break;
    }
    const message = fault ?? (bytes.length - from > mostRecordBytes ? 'has a quote that is not closed' : undefined);
    if (message === undefined) break;
    if (columns === undefined) throw refuse(noHeader(form));
    const next = bytes.indexOf(lineEnd, from);
    if (next === -1 && !isLast) {
      if (bytes.length - from <= mostRecordBytes) break; // found again when the whole line is there
      throw refuse(`has a line that is too long: ${lines + 1}`);
    }
    lines += 1;
    rows.push({ line: lines, fault: message });
    from = next === -1 ? bytes.length : next + 1;
    if (read < mostAtOnce) continue;
    isWhole = false;
    break;
  }
  if (isLast && isWhole && columns === undefined) throw refuse(noHeader(form));
  const rest = bytes.subarray(from).toString();
  return { rows, place: { delimiter, ...(columns && { columns }), rest, lines }, isWhole };
}

interface Beginning {
  readonly delimiter: string;
  /** Behind what is no record: a line that names what stands between cells, such as `sep=;`. */
  readonly from: number;
  readonly lines: number;
}

/**
 * Delimiter of a file: the one that its first line names as such, else the first of the delimiters in its header, which
 * no name of a column holds.
 *
 * @returns undefined where more must be there to tell
 */
function beginningOf(
  form: CsvForm,
  { delimiter, columns }: CsvPlace,
  bytes: Buffer,
  isLast: boolean,
): Beginning | undefined {
  if (delimiter !== undefined || columns !== undefined) return { delimiter: delimiter ?? ',', from: 0, lines: 0 };
  const end = bytes.indexOf(lineEnd);
  if (end === -1 && !isLast) {
    if (bytes.length > mostRecordBytes) throw form.refuse(noHeader(form));
    return undefined;
  }
  const first = bytes.subarray(0, end === -1 ? bytes.length : end).toString();
  const named = /^\uFEFF?"?sep=([^"\r]+)"?\r?$/i.exec(first)?.[1];
  if (named !== undefined) {
    if (!delimiters.includes(named)) throw form.refuse('must have a comma, a semicolon or a tab between its cells');
    return { delimiter: named, from: end === -1 ? bytes.length : end + 1, lines: end === -1 ? 0 : 1 };
  }
  const found = [...first].find((character) => delimiters.includes(character));
  return { delimiter: found ?? ',', from: 0, lines: 0 };
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
  /** Whether there may be more: as many as asked for were read. */
  readonly isCut: boolean;
}

/** Ends the reading: the parser would go on behind the fault in ways of its own. */
class Halt extends Error {}

function recordsOf(bytes: Buffer, delimiter: string, isLast: boolean, most: number): Records {
  const records: CsvRecord[] = [];
  let fault: string | undefined;
  const parser: Parser = new Parser({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    on_record: (cells: string[]) => {
      if (fault === undefined) records.push({ cells, until: parser.info.bytes });
      if (records.length >= most) throw new Halt();
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
  const isCut = records.length >= most;
  return { records, end: isLast && fault === undefined && !isCut ? bytes.length : end, fault, isCut };
}

const sentences: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'goes on behind a closing quote',
  INVALID_OPENING_QUOTE: 'has a quote in a cell that does not begin with one',
};

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
}

function columnsOf(form: CsvForm, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => {
    const given = cell.trim().toLowerCase();
    return form.columns.find((column) => column.toLowerCase() === given) ?? given;
  });
  const unknown = columns.find((column) => !form.columns.includes(column));
  if (unknown !== undefined)
    throw form.refuse(
      `has a column that is not known: ${JSON.stringify(unknown.slice(0, 50))}; there are ${form.columns.join(', ')}`,
    );
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw form.refuse(`has the column ${twice} twice`);
  if (!columns.includes(form.columns[0] ?? '')) throw form.refuse(noHeader(form));
  return columns;
}

/** The line of cells; none for an empty line. */
const lineOf = (columns: readonly string[], cells: readonly string[], line: number): CsvLine[] =>
  cells.every((cell) => cell.trim() === '')
    ? []
    : [{ line, cells: new Map(columns.map((column, index) => [column, readCell(cells[index] ?? '').trim()])) }];

const noHeader = ({ columns }: CsvForm): string =>
  `must begin with a line that names the columns, ${columns[0]} among them, such as ${columns.slice(0, 3).join(',')}`;
