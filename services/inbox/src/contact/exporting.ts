import { decodeCursor, encodeCursor, type OperationInput } from '@messaging-gateway/service';
import { stringify } from 'csv-stringify/sync';
import type { InboxTools } from '../tools.ts';
import { separating, writtenCell } from './csv-cells.ts';
import { contactColumns, type ContactRow } from './finding.ts';
import { filterOf } from './listing.ts';

/** Contacts of one page of the file. */
const together = 2000;
const columns = ['phone', 'name', 'tags', 'metadata'];

/** A page of the CSV file of all contacts, oldest first. The first one begins with the names of the columns. */
export async function exportCsv(
  { sql }: InboxTools,
  input: OperationInput<unknown>,
): Promise<{ text: string; nextCursor: string | null }> {
  const after = decodeCursor(input.query['cursor'], ['time', 'id']);
  const { condition, values: chosen } = filterOf(input);
  const values = [...chosen];
  const later =
    after === undefined
      ? ''
      : `AND (c.created_at, c.id) > ($${values.push(after[0])}::timestamptz, $${values.push(after[1])}::uuid)`;
  const rows = await sql.query<ContactRow>(
    `SELECT ${contactColumns} FROM contacts c WHERE ${condition} AND c.phone IS NOT NULL ${later}
      ORDER BY c.created_at, c.id LIMIT ${together}`,
    values,
  );
  const last = rows.length < together ? undefined : rows.at(-1);
  const lines = [...(after === undefined ? [columns] : []), ...rows.map((row) => cellsOf(row).map(writtenCell))];
  return {
    text: stringify(lines, { record_delimiter: '\r\n', quoted_match: separating }),
    nextCursor: last === undefined ? null : encodeCursor([last.created_at.toISOString(), last.id]),
  };
}

const cellsOf = ({ phone, name, tags, metadata }: ContactRow): string[] => [
  phone ?? '',
  name ?? '',
  tags.join(';'),
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
];
