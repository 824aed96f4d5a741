import type { ExportSuppressionsCsv } from '@messaging-gateway/contracts';
import { separating, writtenCell } from '@messaging-gateway/csv';
import { readPage, type InputOf, type ServiceTools } from '@messaging-gateway/service';
import { stringify } from 'csv-stringify/sync';
import { listedFor, selected, whenListed, type SuppressionRow } from './listing.ts';

/** Entries of one page of the file. */
const together = 2000;
const columns = ['phone', 'reason', 'createdAt'];

/** A page of the CSV file of the list, the oldest first. The first one begins with the names of the columns. */
export async function exportCsv(
  { sql }: Pick<ServiceTools<unknown>, 'sql'>,
  { caller, query: { cursor } }: InputOf<typeof ExportSuppressionsCsv>,
): Promise<{ text: string; nextCursor: string | null }> {
  const { items, nextCursor } = await readPage<SuppressionRow>(sql, {
    select: selected,
    where: listedFor(caller, ['phone IS NOT NULL']),
    order: whenListed,
    query: { limit: together, ...(cursor !== undefined && { cursor }) },
  });
  const cells = items.map(({ phone, reason, created_at }) => [phone ?? '', reason ?? '', created_at.toISOString()]);
  const lines = [...(cursor === undefined ? [columns] : []), ...cells.map((row) => row.map(writtenCell))];
  return { text: stringify(lines, { record_delimiter: '\r\n', quoted_match: separating }), nextCursor };
}
