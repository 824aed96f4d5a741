import type { ExportContactsCsv } from '@messaging-gateway/contracts';
import { readPage, type InputOf } from '@messaging-gateway/service';
import { stringify } from 'csv-stringify/sync';
import type { ContactTools } from './tools.ts';
import { separating, writtenCell } from '@messaging-gateway/csv';
import { contactColumns, type ContactRow } from './finding.ts';
import { chosen, whenMade } from './listing.ts';

/** Contacts of one page of the file. */
const together = 2000;
const columns = ['phone', 'name', 'tags', 'metadata'];

/** A page of the CSV file of all contacts, oldest first. The first one begins with the names of the columns. */
export async function exportCsv(
  { sql }: ContactTools,
  input: InputOf<typeof ExportContactsCsv>,
): Promise<{ text: string; nextCursor: string | null }> {
  const { cursor } = input.query;
  const { items, nextCursor } = await readPage(sql, {
    select: `SELECT ${contactColumns} FROM contacts c`,
    where: chosen(input, ['c.phone IS NOT NULL']),
    order: whenMade,
    query: { limit: together, ...(cursor !== undefined && { cursor }) },
  });
  const lines = [...(cursor === undefined ? [columns] : []), ...items.map((row) => cellsOf(row).map(writtenCell))];
  return { text: stringify(lines, { record_delimiter: '\r\n', quoted_match: separating }), nextCursor };
}

const cellsOf = ({ phone, name, tags, metadata }: ContactRow): string[] => [
  phone ?? '',
  name ?? '',
  tags.join(';'),
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
];
