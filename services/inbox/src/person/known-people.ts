import type { Sql } from '@messaging-gateway/service';
import { allNames, contactsNamed, type Names, type People } from './names.ts';

/** A contact that a profile may see: its own, or one of the whole organization. */
export interface VisibleContact {
  readonly id: string;
  readonly profile_id: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly name: string | null;
  readonly push_name: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly blocked: boolean;
  readonly updated_at: Date;
}

/** A person as a profile knows them. */
export interface KnownPerson {
  /** All contacts of the person, those that say more about them first; never empty. */
  readonly contacts: readonly VisibleContact[];
  readonly contactId: string;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly name: string | null;
  readonly pushName: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly blocked: boolean;
}

interface Whose {
  readonly organizationId: string;
  readonly profileId: string;
  /** Contacts made later are not there. */
  readonly asOf?: string;
}

/** The people of these names whom a profile knows, each once. */
export const knownPeople = async (sql: Sql, whose: Whose, names: Names): Promise<KnownPerson[]> =>
  knownOf(sql, whose, await allNames(sql, whose.organizationId, names));

/** The people whom a profile knows, each once, where all their names have been found. */
export async function knownOf(sql: Sql, whose: Whose, people: People): Promise<KnownPerson[]> {
  const contacts = await contactsOf(sql, whose, people.names);
  const found = Map.groupBy(contacts, ({ phone, lid }) => people.personOf(phone ?? lid ?? ''));
  return [...found.values()].map((theirs) => joined(theirs.toSorted(byWorth)));
}

async function contactsOf(
  sql: Sql,
  { organizationId, profileId, asOf }: Whose,
  { phones, lids }: Names,
): Promise<VisibleContact[]> {
  const visible =
    '(profile_id = $4 OR profile_id IS NULL) AND NOT deleted AND ($5::timestamptz IS NULL OR created_at <= $5)';
  const columns = 'id, profile_id, phone, lid, name, push_name, tags, metadata, blocked, updated_at';
  const named = (by: 'phone' | 'lid'): string =>
    `SELECT ${columns} FROM ${contactsNamed(by, `${columns}, deleted, created_at`)} WHERE ${visible}`;
  const rows = await sql.query<VisibleContact>(`${named('phone')} UNION ALL ${named('lid')}`, [
    organizationId,
    phones,
    lids,
    profileId,
    asOf ?? null,
  ]);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The profile's own before the organization's, those with a phone before those without, the newest first. */
const byWorth = (one: VisibleContact, other: VisibleContact): number =>
  Number(one.profile_id === null) - Number(other.profile_id === null) ||
  Number(one.phone === null) - Number(other.phone === null) ||
  other.updated_at.getTime() - one.updated_at.getTime() ||
  (one.id < other.id ? -1 : 1);

/** One person of several contacts: a field that one contact lacks is taken from the next. */
function joined(contacts: readonly VisibleContact[]): KnownPerson {
  const said = <V>(of: (contact: VisibleContact) => V | null): V | null =>
    contacts.map(of).find((value) => value !== null) ?? null;
  return {
    contacts,
    contactId: contacts[0]?.id ?? '',
    phone: said(({ phone }) => phone),
    lid: said(({ lid }) => lid),
    name: said(({ name }) => name),
    pushName: said(({ push_name }) => push_name),
    tags: [...new Set(contacts.flatMap(({ tags }) => tags))],
    metadata: Object.assign({}, ...contacts.map(({ metadata }) => metadata).toReversed()) as Record<string, unknown>,
    blocked: contacts.some(({ blocked }) => blocked),
  };
}
