import { parse } from 'csv-parse/browser/esm/sync';

/** Rows of a bulk send, by the names of their columns. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** What is wrong with them as a table: a quote that is never closed. */
  readonly fault?: string;
}

/** The column that says who gets it. */
export const phoneColumn = 'phone';

/**
 * Reads rows that were pasted, or are a CSV file: the first line names the columns; commas, semicolons or tabs separate.
 * What lies beyond the columns is left out, what lacks is empty.
 */
export function rowsIn(text: string): Rows {
  const [firstLine = ''] = text.split('\n', 1);
  const delimiter = /[,;\t]/.exec(firstLine)?.[0] ?? ',';
  try {
    const [header = [], ...records] = parse(text, {
      bom: true,
      delimiter,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
    const columns = header.map((name) => (name.toLowerCase() === phoneColumn ? phoneColumn : name));
    const rows = records.map((record) =>
      Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ''] as const)),
    );
    return { columns, rows };
  } catch (error) {
    return { columns: [], rows: [], fault: error instanceof Error ? error.message : String(error) };
  }
}

/** As the gateway reads them: a letter or `_`, then letters, digits, `_`, `.`, `-`. */
const placeholder = /\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu;

/** Names in braces in a content's texts, each once. */
export const placeholdersIn = (content: object): readonly string[] => [
  ...new Set([...JSON.stringify(content).matchAll(placeholder)].map(([, name = '']) => name)),
];

/** A text for one row; what no column fills stays as it is. */
export const filled = (text: string, row: Readonly<Record<string, string>>): string =>
  text.replace(placeholder, (written, name: string) => (Object.hasOwn(row, name) ? (row[name] ?? '') : written));

/** A number as people write it, as digits; anything else as it is. */
const recipientOf = (phone: string): string => {
  const digits = phone.replace(/[\s+().\-/]/g, '');
  return /^\d+$/.test(digits) ? digits : phone;
};

interface BulkMessage<T> {
  readonly chatId: string;
  readonly type: T;
  readonly content: Readonly<Record<string, unknown>>;
  readonly variables?: Record<string, string>;
}

/** A message for each row, with the values that its texts ask for. */
export function messagesOf<T>(
  { rows }: Rows,
  type: T,
  content: Readonly<Record<string, unknown>>,
): readonly BulkMessage<T>[] {
  const names = placeholdersIn(content);
  return rows.map((row) => {
    const variables = Object.fromEntries(
      names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name] ?? ''] as const),
    );
    const chatId = recipientOf(row[phoneColumn] ?? '');
    return { chatId, type, content, ...(names.length > 0 && { variables }) };
  });
}
