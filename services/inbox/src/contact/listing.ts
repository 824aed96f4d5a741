import type { Page } from '@messaging-gateway/contracts';
import { assertProfileAllowed, decodeCursor, pageOf, type OperationInput, type Sql } from '@messaging-gateway/service';
import type { InboxTools } from '../tools.ts';
import { contactsOf } from './counts.ts';
import { contactColumns, findContact, shownContacts, type ContactRow, type ShownContact } from './finding.ts';

export async function getContact(
  { sql }: InboxTools,
  { params, caller }: OperationInput<unknown>,
): Promise<ShownContact> {
  const row = await findContact(sql, params['id'], caller);
  const [shown] = await shownContacts(sql, caller.organizationId, [row]);
  return shown as ShownContact;
}

/** A page of contacts, the newest first. */
export async function listContacts({ sql }: InboxTools, input: OperationInput<unknown>): Promise<Page<ShownContact>> {
  const limit = Number(input.query['limit'] ?? 50);
  const before = decodeCursor(input.query['cursor'], ['time', 'id']);
  const chosen = filterOf(input);
  const values = [...chosen.values];
  const older =
    before === undefined
      ? ''
      : `AND (c.created_at, c.id) < ($${values.push(before[0])}::timestamptz, $${values.push(before[1])}::uuid)`;
  const { search, tags } = input.query;
  const [rows, total] = await Promise.all([
    sql.query<ContactRow>(
      `SELECT ${contactColumns} FROM contacts c WHERE ${chosen.condition} ${older}
        ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit + 1}`,
      values,
    ),
    search === undefined && tags === undefined ? contactsOf(sql, input) : countFound(sql, chosen),
  ]);
  const page = pageOf(
    rows,
    limit,
    (row) => [row.created_at.toISOString(), row.id],
    (row) => row,
  );
  const items = await shownContacts(sql, input.caller.organizationId, page.items);
  return { ...page, items, total };
}

/** Counts what a search finds, one by one. */
async function countFound(sql: Sql, { condition, values }: Filter): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM contacts c WHERE ${condition}`,
    values,
  );
  return row?.total ?? 0;
}

interface Filter {
  readonly condition: string;
  readonly values: readonly unknown[];
}

/** Contacts that the caller may see and asks for; in SQL the contact is `c`. */
export function filterOf({ query, caller }: Pick<OperationInput<unknown>, 'query' | 'caller'>): Filter {
  const values: unknown[] = [caller.organizationId];
  const conditions = ['c.organization_id = $1', 'NOT c.deleted'];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { profileId, search, tags } = query;
  if (profileId !== undefined) {
    assertProfileAllowed(caller, profileId as string);
    conditions.push(`c.profile_id = ${value(profileId)}`);
  } else if (caller.profileIds !== undefined) conditions.push(`c.profile_id = ANY (${value(caller.profileIds)})`);
  if (search !== undefined) {
    const part = value(`%${(search as string).replaceAll(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(c.name ILIKE ${part} OR c.push_name ILIKE ${part} OR c.phone LIKE ${part})`);
  }
  if (tags !== undefined) conditions.push(`c.tags @> ${value(tagsOf(tags))}::text[]`);
  return { condition: conditions.join(' AND '), values };
}

const tagsOf = (given: unknown): string[] =>
  (given as string[]).flatMap((one) => one.split(',')).flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
