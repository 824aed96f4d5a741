import { namedUuids } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';

const uuidOf = namedUuids('b3c5a9a4-6c0f-5a39-8c5d-3f2e1b9d7c60');

/** Owner of a contact: an organization, and there one profile or everybody. */
export interface ContactPlace {
  readonly organizationId: string;
  readonly profileId?: string | undefined;
}

/**
 * Id under which a contact is made: derived, so that whoever makes the same one at the same moment, on any replica, makes it once.
 *
 * @param address digits of the phone, or `<id>@lid` while the phone is not known
 */
export const contactIdOf = ({ organizationId, profileId }: ContactPlace, address: string): string =>
  uuidOf(`${organizationId} ${profileId ?? ''} ${address}`);

/** By which a person is known: digits of the phone, `<id>@lid`, or both. */
export interface PersonNames {
  readonly phone?: string | undefined;
  readonly lid?: string | undefined;
}

/** The contact of a person, or the id under which it is to be made. */
export interface ContactSlot {
  readonly contactId: string;
  /** The number under which the contact is kept, if it is another one than the person's. */
  readonly keptPhone?: string;
  /** Another contact that is kept under the person's number. */
  readonly other?: { readonly contactId: string; readonly lid: string | undefined };
}

interface Row {
  readonly id: string;
  readonly phone: string | null;
  readonly lid: string | null;
}

/**
 * Finds the contact of a person. A contact that moved to another number keeps its id, so that an id does not follow from the number
 * that the contact has now; and a number that a contact had before belongs to nobody, until somebody else uses it.
 */
export async function findContactSlot(
  sql: Pick<Sql, 'query'>,
  place: ContactPlace,
  { phone, lid }: PersonNames,
): Promise<ContactSlot> {
  const derived = contactIdOf(place, phone ?? lid ?? '');
  const rows = await contactsBy(
    sql,
    place,
    { phones: phone === undefined ? [] : [phone], lids: lid === undefined ? [] : [lid] },
    [derived],
  );
  const byPhone = phone === undefined ? undefined : rows.find((row) => row.phone === phone);
  const byLid = lid === undefined ? undefined : rows.find((row) => row.lid === lid && row.phone !== null);
  if (byLid !== undefined && byLid.phone !== phone) {
    const other = byPhone && { contactId: byPhone.id, lid: byPhone.lid ?? undefined };
    return { contactId: byLid.id, ...(byLid.phone !== null && { keptPhone: byLid.phone }), ...(other && { other }) };
  }
  if (byPhone !== undefined) return { contactId: byPhone.id };
  if (phone === undefined || !isOfAnother(rows, derived, phone)) return { contactId: derived };
  return { contactId: await freeId(sql, place, phone) };
}

/** The ids of the contacts with these numbers, in their order, as `findContactSlot` finds them. */
export async function contactIdsOf(
  sql: Pick<Sql, 'query'>,
  place: ContactPlace,
  phones: readonly string[],
): Promise<readonly string[]> {
  const derived = phones.map((phone) => contactIdOf(place, phone));
  const rows = await contactsBy(sql, place, { phones, lids: [] }, derived);
  const known = new Map(rows.map((row) => [row.phone, row.id]));
  return Promise.all(
    phones.map(async (phone, index) => {
      const id = derived[index] ?? '';
      return known.get(phone) ?? (isOfAnother(rows, id, phone) ? freeId(sql, place, phone) : id);
    }),
  );
}

/** Whether the contact with this id has moved away from the number that the id was derived from. */
const isOfAnother = (rows: readonly Row[], id: string, phone: string): boolean =>
  rows.some((row) => row.id === id && row.phone !== phone);

async function freeId(sql: Pick<Sql, 'query'>, place: ContactPlace, phone: string): Promise<string> {
  for (let number = 2; ; number += 1) {
    const id = contactIdOf(place, `${phone} ${number}`);
    if (!isOfAnother(await contactsBy(sql, place, { phones: [], lids: [] }, [id]), id, phone)) return id;
  }
}

/** Contacts of one place by number, by LID and by id. Each is looked up by its own index. */
const contactsBy = (
  sql: Pick<Sql, 'query'>,
  { organizationId, profileId }: ContactPlace,
  { phones, lids }: { readonly phones: readonly string[]; readonly lids: readonly string[] },
  ids: readonly string[],
): Promise<Row[]> => {
  const named = (column: 'phone' | 'lid', values: string): string => `
    SELECT id, phone, lid FROM contacts
     WHERE organization_id = $1 AND ${column} = ANY (${values}) AND NOT deleted AND profile_id IS NOT DISTINCT FROM $2`;
  return sql.query<Row>(
    `${named('phone', '$3')} UNION ${named('lid', '$4')} UNION SELECT id, phone, lid FROM contacts WHERE id = ANY ($5) AND NOT deleted`,
    [organizationId, profileId ?? null, phones, lids, ids],
  );
};
