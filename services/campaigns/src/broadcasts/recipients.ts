import type { ExportBroadcastRecipients, ListBroadcastRecipients, Page } from '@messaging-gateway/contracts';
import { decodeCursor, pageOf, type InputOf, type Sql } from '@messaging-gateway/service';
import { stringify } from 'csv-stringify/sync';
import { separating, writtenCell } from '@messaging-gateway/csv';
import type { BroadcastRow } from './broadcast-records.ts';
import { hasEnded, type KnownBroadcast } from './broadcast.ts';
import { shownRecipient, shownStats, statusesOf, type RecipientRow, type ShownRecipient } from './shown.ts';

type Query = InputOf<typeof ListBroadcastRecipients>['query'];

const columns = 'place, contact_id, phone, name, status, variant, message_id, attempts, error';
const allStatuses: readonly RecipientRow['status'][] = ['pending', 'released', 'unknown', 'sent', 'failed', 'skipped'];

/** Whom a request asks for. */
interface Chosen {
  readonly audienceId: string;
  readonly statuses: readonly RecipientRow['status'][];
  /** Number of the variant; null: whatever it is. */
  readonly variant: number | null;
}

/** Recipients of one page of the file. */
const together = 2000;
const headings = ['contactId', 'phone', 'name', 'status', 'variant', 'messageId', 'attempts', 'error'];

/** Recipients of a broadcast, in the order in which they are sent to. */
export async function recipientsPage(
  sql: Sql,
  row: BroadcastRow,
  state: KnownBroadcast,
  query: Query,
): Promise<Page<ShownRecipient>> {
  const asked = chosen(row, state, query);
  if (asked === undefined) return { items: [], nextCursor: null, total: 0 };
  const [page, total] = await Promise.all([read(sql, asked, query), count(sql, row, asked, query)]);
  return { ...page, items: page.items.map(shownIn(row, state)), total };
}

/** A page of the CSV file. The first one begins with the names of the columns. */
export async function recipientsCsv(
  sql: Sql,
  row: BroadcastRow,
  state: KnownBroadcast,
  { cursor, ...query }: InputOf<typeof ExportBroadcastRecipients>['query'],
): Promise<{ text: string; nextCursor: string | null }> {
  const asked = chosen(row, state, query);
  const page = { limit: together, ...(cursor !== undefined && { cursor }) };
  const { items, nextCursor } = asked === undefined ? { items: [], nextCursor: null } : await read(sql, asked, page);
  const lines = items.map(shownIn(row, state)).map((one) => cellsOf(one).map(writtenCell));
  const all = cursor === undefined ? [headings, ...lines] : lines;
  return { text: stringify(all, { record_delimiter: '\r\n', quoted_match: separating }), nextCursor };
}

/** A page of them: of each status the first ones by their index, and then the first of those, however many there are. */
async function read(
  sql: Sql,
  { audienceId, statuses, variant }: Chosen,
  { limit = 50, cursor }: { readonly limit?: number; readonly cursor?: string },
): Promise<{ items: RecipientRow[]; nextCursor: string | null }> {
  const [after = -1] = (decodeCursor(cursor, ['number']) ?? []) as [number?];
  const rows = await sql.query<RecipientRow>(
    `SELECT ${columns.replaceAll(/(\w+)/g, 'one.$1')} FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
       SELECT ${columns.replaceAll(/(\w+)/g, 'a.$1')} FROM audience a
        WHERE a.audience_id = $1 AND a.status = wanted.status AND a.place > $3 AND ($4::smallint IS NULL OR a.variant = $4)
        ORDER BY a.place LIMIT $5) AS one
      ORDER BY one.place LIMIT $5`,
    [audienceId, statuses, after, variant, limit + 1],
  );
  return pageOf(
    rows,
    limit,
    ({ place }) => [place],
    (row) => row,
  );
}

const cellsOf = ({ contactId, phone, name, status, variant, messageId, attempts, error }: ShownRecipient): string[] => [
  contactId ?? '',
  phone ?? '',
  name ?? '',
  status,
  variant ?? '',
  messageId ?? '',
  String(attempts),
  error?.code ?? '',
];

const variantNames = ({ facts }: KnownBroadcast): readonly string[] =>
  facts.message.variants?.map(({ name }) => name) ?? [];

const shownIn = (row: BroadcastRow, state: KnownBroadcast) => {
  const names = variantNames(state);
  return (one: RecipientRow): ShownRecipient => shownRecipient(one, hasEnded(row.status), names);
};

/** @returns undefined when there is nobody to be found */
function chosen(row: BroadcastRow, state: KnownBroadcast, { status, variant }: Query): Chosen | undefined {
  if (row.audience_id === null) return undefined;
  const number = variant === undefined ? null : variantNames(state).indexOf(variant);
  if (number === -1) return undefined;
  const statuses = status === undefined ? allStatuses : statusesOf(status, hasEnded(row.status));
  return { audienceId: row.audience_id, statuses, variant: number };
}

/** Without a variant, what is counted anyway. */
async function count(sql: Sql, row: BroadcastRow, asked: Chosen, { status, variant }: Query): Promise<number> {
  const { total, sent, failed, pending, skipped, cancelled } = shownStats(row);
  if (variant === undefined)
    return status === undefined ? total : { sent, failed, pending, cancelled: cancelled + skipped }[status];
  const [counted] = await sql.query<{ number: number }>(
    'SELECT count(*)::int AS number FROM audience WHERE audience_id = $1 AND status = ANY ($2) AND variant = $3',
    [asked.audienceId, asked.statuses, asked.variant],
  );
  return counted?.number ?? 0;
}
