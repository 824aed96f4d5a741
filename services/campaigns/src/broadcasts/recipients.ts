import type { ExportBroadcastRecipients, ListBroadcastRecipients, Page } from '@messaging-gateway/contracts';
import { allOf, readPage, type Condition, type Conditions, type InputOf, type Sql } from '@messaging-gateway/service';
import { stringify } from 'csv-stringify/sync';
import { separating, writtenCell } from '@messaging-gateway/csv';
import type { BroadcastRow } from './broadcast-records.ts';
import { hasEnded, type KnownBroadcast } from './broadcast.ts';
import { shownRecipient, shownStats, statusesOf, type RecipientRow, type ShownRecipient } from './shown.ts';

type Query = InputOf<typeof ListBroadcastRecipients>['query'];

const select = 'SELECT place, contact_id, phone, name, status, variant, message_id, attempts, error FROM audience';
const order = [{ column: 'place', kind: 'number', of: ({ place }: RecipientRow) => place }] as const;
/** Recipients of one page of the file. */
const together = 2000;
const columns = ['contactId', 'phone', 'name', 'status', 'variant', 'messageId', 'attempts', 'error'];

/** Recipients of a broadcast, in the order in which they are sent to. */
export async function recipientsPage(
  sql: Sql,
  row: BroadcastRow,
  state: KnownBroadcast,
  query: Query,
): Promise<Page<ShownRecipient>> {
  const where = chosen(row, state, query);
  if (where === undefined) return { items: [], nextCursor: null, total: 0 };
  const [page, total] = await Promise.all([
    readPage<RecipientRow>(sql, { select, where, order, query }),
    count(sql, row, where, query),
  ]);
  return { ...page, items: page.items.map(shownIn(row, state)), total };
}

/** A page of the CSV file. The first one begins with the names of the columns. */
export async function recipientsCsv(
  sql: Sql,
  row: BroadcastRow,
  state: KnownBroadcast,
  { cursor, ...query }: InputOf<typeof ExportBroadcastRecipients>['query'],
): Promise<{ text: string; nextCursor: string | null }> {
  const where = chosen(row, state, query);
  const page = { limit: together, ...(cursor !== undefined && { cursor }) };
  const { items, nextCursor } =
    where === undefined
      ? { items: [], nextCursor: null }
      : await readPage<RecipientRow>(sql, { select, where, order, query: page });
  const lines = items.map(shownIn(row, state)).map((one) => cellsOf(one).map(writtenCell));
  const all = cursor === undefined ? [columns, ...lines] : lines;
  return { text: stringify(all, { record_delimiter: '\r\n', quoted_match: separating }), nextCursor };
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
function chosen(row: BroadcastRow, state: KnownBroadcast, { status, variant }: Query): Conditions | undefined {
  if (row.audience_id === null) return undefined;
  const number = variant === undefined ? undefined : variantNames(state).indexOf(variant);
  if (number === -1) return undefined;
  const ofStatus: Condition =
    status === undefined ? undefined : ['status = ANY ($1)', statusesOf(status, hasEnded(row.status))];
  const ofVariant: Condition = number === undefined ? undefined : ['variant = $1', number];
  return allOf([['audience_id = $1', row.audience_id], ofStatus, ofVariant]);
}

/** Without a variant, what is counted anyway. */
async function count(sql: Sql, row: BroadcastRow, where: Conditions, { status, variant }: Query): Promise<number> {
  const { total, sent, failed, pending, skipped, cancelled } = shownStats(row);
  if (variant === undefined)
    return status === undefined ? total : { sent, failed, pending, cancelled: cancelled + skipped }[status];
  const [counted] = await sql.query<{ number: number }>(
    `SELECT count(*)::int AS number FROM audience WHERE ${where.text}`,
    where.values,
  );
  return counted?.number ?? 0;
}
