import type { ExportSuppressionsCsv } from '@messaging-gateway/contracts';
import { separating, writtenCell } from '@messaging-gateway/csv';
import type { InputOf } from '@messaging-gateway/service';
import { entityPage } from '@messaging-gateway/service/entities';
import { stringify } from 'csv-stringify/sync';
import { whenListed } from './listing.ts';
import { SuppressionEntity } from './suppressions-view.ts';

/** Entries of one page of the file. */
const together = 2000;
const columns = ['phone', 'reason', 'createdAt'];

/** A page of the CSV file of the list, the oldest first. The first one begins with the names of the columns. */
export async function exportCsv({
  context,
  query: { cursor },
}: InputOf<typeof ExportSuppressionsCsv>): Promise<{ text: string; nextCursor: string | null }> {
  const { items, nextCursor } = await entityPage(context.em(), SuppressionEntity, {
    where: { lifted: false, phone: { $ne: null } },
    order: whenListed,
    query: { limit: together, ...(cursor !== undefined && { cursor }) },
  });
  const cells = items.map(({ phone, reason, createdAt }) => [phone ?? '', reason ?? '', createdAt.toISOString()]);
  const lines = [...(cursor === undefined ? [columns] : []), ...cells.map((row) => row.map(writtenCell))];
  return { text: stringify(lines, { record_delimiter: '\r\n', quoted_match: separating }), nextCursor };
}
