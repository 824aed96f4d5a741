import type { Caller, GetContact, ListContacts, Page, QueryOf } from '@messaging-gateway/contracts';
import {
  allOf,
  holding,
  ofProfiles,
  readPage,
  whereGiven,
  type Condition,
  type Conditions,
  type InputOf,
  type SortKey,
  type Sql,
} from '@messaging-gateway/service';
import type { ContactTools } from './tools.ts';
import { contactsOf } from './counts.ts';
import { contactColumns, findContact, shownContacts, type ContactRow, type ShownContact } from './finding.ts';

export async function getContact(
  { sql }: ContactTools,
  { params, caller }: Pick<InputOf<typeof GetContact>, 'params' | 'caller'>,
): Promise<ShownContact> {
  const row = await findContact(sql, params.id, caller);
  const [shown] = await shownContacts(sql, caller.organizationId, [row]);
  return shown as ShownContact;
}

export const whenMade: readonly SortKey<ContactRow>[] = [
  { column: 'c.created_at', kind: 'time', of: (row) => row.created_at.toISOString() },
  { column: 'c.id', kind: 'id', of: (row) => row.id },
];

/** A page of contacts, the newest first. */
export async function listContacts(
  { sql }: ContactTools,
  input: InputOf<typeof ListContacts>,
): Promise<Page<ShownContact>> {
  const where = chosen(input);
  const { search, tags } = input.query;
  const [page, total] = await Promise.all([
    readPage(sql, {
      select: `SELECT ${contactColumns} FROM contacts c`,
      where,
      order: whenMade,
      descending: true,
      query: input.query,
    }),
    search === undefined && tags === undefined ? contactsOf(sql, input) : countFound(sql, where),
  ]);
  const items = await shownContacts(sql, input.caller.organizationId, page.items);
  return { ...page, items, total };
}

/** Counts what a search finds, one by one. */
async function countFound(sql: Sql, { text, values }: Conditions): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM contacts c WHERE ${text}`,
    values,
  );
  return row?.total ?? 0;
}

/** Contacts that the caller may see and asks for; in SQL the contact is `c`. */
export function chosen({ query, caller }: Asked, besides?: Condition): Conditions {
  const { profileId, search, tags } = query;
  return allOf([
    ['c.organization_id = $1', caller.organizationId],
    ['NOT c.deleted'],
    ofProfiles('c.profile_id', caller, profileId),
    whereGiven('(c.name ILIKE $1 OR c.push_name ILIKE $1 OR c.phone LIKE $1)', search, holding),
    whereGiven('c.tags @> $1::text[]', tags, tagsOf),
    besides,
  ]);
}

/** Of a list of contacts or a file of them. */
interface Asked {
  readonly query: Pick<QueryOf<typeof ListContacts>, 'profileId' | 'search' | 'tags'>;
  readonly caller: Caller;
}

const tagsOf = (given: readonly string[]): string[] =>
  given.flatMap((one) => one.split(',')).flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));
