import { CsvError, parse } from 'csv-parse/sync';
import { textOf } from './plain.ts';
import { Collected, Unreadable, type ReadFormat } from './read-text.ts';

const delimiters = [',', ';', '\t'];

/** Each line is a paragraph that says of each cell in which column it stands: found by itself, it still means the same. */
export const readCsv: ReadFormat = (bytes) => {
  const text = textOf(bytes);
  const rows = rowsOf(text);
  const [header = [], ...records] = rows;
  const all = new Collected();
  if (records.length === 0) all.add(header.join(', '));
  for (const record of records) {
    for (const [place, cell] of record.entries()) {
      if (cell.trim() === '') continue;
      const column = header[place]?.trim() ?? '';
      all.add(column === '' ? `${cell}\n` : `${column}: ${cell}\n`);
    }
    all.add('\n');
  }
  return { text: all.toString() };
};

function rowsOf(text: string): string[][] {
  const first = text.slice(0, text.search(/\r?\n|$/));
  const delimiter = [...first].find((character) => delimiters.includes(character)) ?? ',';
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Unreadable(
      `is no CSV: ${error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quote is not closed' : 'a line cannot be read'}`,
    );
  }
}
