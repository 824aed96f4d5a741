import type { Sql } from '@messaging-gateway/service';

/** Names of people on the network: digits of phones, and LIDs (`<id>@lid`). */
export interface Names {
  readonly phones: readonly string[];
  readonly lids: readonly string[];
}

interface Link {
  readonly phone: string;
  readonly lid: string;
}

const phoneEnd = '@c.us';
const lidEnd = '@lid';

/** The name that a JID is; none for a group. */
export const namesIn = (jids: readonly string[]): Names => ({
  phones: jids.filter((jid) => jid.endsWith(phoneEnd)).map((jid) => jid.slice(0, -phoneEnd.length)),
  lids: jids.filter((jid) => jid.endsWith(lidEnd)),
});

/** How to write to somebody: by phone where it is known. */
export const jidOf = ({ phone, lid }: { readonly phone: string | null; readonly lid: string | null }): string =>
  phone === null ? (lid ?? '') : `${phone}${phoneEnd}`;

/**
 * Everything by which these people are known. A phone and a LID are one person's when any contact of the organization has both;
 * so are two phones with one LID.
 */
export async function allNames(sql: Sql, organizationId: string, given: Names): Promise<People> {
  const people = new People();
  let asked = given;
  while (asked.phones.length + asked.lids.length > 0) {
    people.add(asked);
    const links = await linksOf(sql, organizationId, asked);
    const found = {
      phones: fresh(links, ({ phone }) => phone, people),
      lids: fresh(links, ({ lid }) => lid, people),
    };
    for (const { phone, lid } of links) people.join(phone, lid);
    asked = found;
  }
  return people;
}

const fresh = (links: readonly Link[], of: (link: Link) => string, people: People): string[] => [
  ...new Set(links.map(of).filter((name) => !people.has(name))),
];

const linksOf = (sql: Sql, organizationId: string, { phones, lids }: Names): Promise<Link[]> =>
  sql.query<Link>(
    `SELECT phone, lid FROM ${contactsNamed('phone', 'phone, lid, deleted')} WHERE lid IS NOT NULL AND NOT deleted
      UNION
     SELECT phone, lid FROM ${contactsNamed('lid', 'phone, lid, deleted')} WHERE phone IS NOT NULL AND NOT deleted`,
    [organizationId, phones, lids],
  );

/**
 * SQL of the contacts of an organization ($1) by phone ($2) or LID ($3). Each name is looked up by its index: left to itself,
 * the planner reads all contacts of the organization for many names. Further conditions stand outside.
 */
export const contactsNamed = (by: 'phone' | 'lid', columns: string): string =>
  `unnest(${by === 'phone' ? '$2' : '$3'}::text[]) given(wanted)
   CROSS JOIN LATERAL (SELECT ${columns} FROM contacts WHERE organization_id = $1 AND ${by} = wanted OFFSET 0) contact`;

/** Which names are one person's. */
export class People {
  /** Of each name one that is nearer to the one that stands for the person. */
  readonly #nearer = new Map<string, string>();

  add({ phones, lids }: Names): void {
    for (const name of [...phones, ...lids]) if (!this.has(name)) this.#nearer.set(name, name);
  }

  has(name: string): boolean {
    return this.#nearer.has(name);
  }

  join(one: string, other: string): void {
    this.#nearer.set(this.personOf(one), this.personOf(other));
  }

  /** The name that stands for the person, equal for all names of one. */
  personOf(name: string): string {
    let at = name;
    for (let next = this.#nearer.get(at); next !== undefined && next !== at; next = this.#nearer.get(at)) at = next;
    return at;
  }

  get names(): Names {
    const names = [...this.#nearer.keys()];
    return {
      phones: names.filter((name) => !name.endsWith(lidEnd)),
      lids: names.filter((name) => name.endsWith(lidEnd)),
    };
  }
}
