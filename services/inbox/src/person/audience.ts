import type { AnswerOf, ListAudience } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { knownPeople, type KnownPerson, type VisibleContact } from './known-people.ts';
import { jidOf } from './names.ts';

type Asked = Static<(typeof ListAudience)['body']>;
type Audience = AnswerOf<typeof ListAudience>;

/** How far the reading has come: the profile's own contacts come first, then those of the whole organization, by id. */
interface Place {
  readonly isOwn: boolean;
  /** Behind this contact. */
  readonly id: string;
}

/** A contact that was looked at. */
interface Looked {
  readonly id: string;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly chosen: boolean;
}

/** Contacts of one page, and the id behind which the next one begins; none at the end of the own or the common ones. */
interface Window {
  readonly looked: readonly Looked[];
  readonly end: string | undefined;
}

const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * A page of the people whom a profile may write to. A person is listed where the first of their chosen contacts stands, so
 * that pages need not know of each other.
 *
 * @throws Refused VALIDATION_ERROR for an `after` that no page gave
 */
export async function listAudience({ sql }: { readonly sql: Sql }, asked: Asked): Promise<Audience> {
  const place = asked.after === undefined ? { isOwn: true, id: beforeAll } : placeOf(asked.after);
  const { looked, end } = await windowAt(sql, asked, place);
  const chosen = looked.filter((contact) => contact.chosen);
  const people = await knownPeople(sql, asked, {
    phones: chosen.flatMap(({ phone }) => phone ?? []),
    lids: chosen.flatMap(({ lid }) => lid ?? []),
  });
  const isChosen = choice(asked.recipients);
  const listed = new Map(people.flatMap((person) => entryOf(person, isChosen)));
  return { items: chosen.flatMap(({ id }) => listed.get(id) ?? []), next: nextOf(place, end) };
}

/** The contacts behind a place, chosen or not: as many as the page may have. */
async function windowAt(sql: Sql, asked: Asked, { isOwn, id }: Place): Promise<Window> {
  const { organizationId, profileId, recipients, asOf, limit } = asked;
  const tags = recipients.type === 'tags' ? recipients.tags : null;
  const ids = recipients.type === 'contacts' ? idsBehind(id, recipients.contactIds).slice(0, limit) : null;
  const looked = await sql.query<Looked>(
    `SELECT id, phone, lid, created_at <= $4 AND ($5::text[] IS NULL OR tags && $5) AS chosen FROM contacts
      WHERE organization_id = $1 AND profile_id ${isOwn ? '= $2' : 'IS NULL AND $2::uuid IS NOT NULL'}
        AND NOT deleted AND ${ids === null ? 'id > $3' : 'id = ANY ($3)'}
      ORDER BY id LIMIT $6`,
    [organizationId, profileId, ids ?? id, asOf, tags, limit],
  );
  if (ids !== null) return { looked, end: ids.length < limit ? undefined : ids.at(-1) };
  return { looked, end: looked.length < limit ? undefined : looked.at(-1)?.id };
}

const idsBehind = (id: string, ids: readonly string[]): string[] =>
  [...new Set(ids.map((one) => one.toLowerCase()))].filter((one) => one > id).toSorted();

type IsChosen = (contact: VisibleContact) => boolean;

function choice(recipients: Asked['recipients']): IsChosen {
  switch (recipients.type) {
    case 'all':
      return () => true;
    case 'tags': {
      const wanted = new Set(recipients.tags);
      return ({ tags }) => tags.some((tag) => wanted.has(tag));
    }
    case 'contacts': {
      const wanted = new Set(recipients.contactIds.map((id) => id.toLowerCase()));
      return ({ id }) => wanted.has(id);
    }
  }
}

/** The item of a person, by the contact in whose place it stands. */
function entryOf(person: KnownPerson, isChosen: IsChosen): [string, Audience['items'][number]][] {
  const [at] = person.contacts.filter(isChosen).toSorted(byPlace);
  if (at === undefined) return [];
  const { contactId, phone, lid, name, pushName, blocked, metadata } = person;
  return [[at.id, { contactId, jid: jidOf(person), phone, lid, name, pushName, blocked, metadata: { ...metadata } }]];
}

const byPlace = (one: VisibleContact, other: VisibleContact): number =>
  Number(one.profile_id === null) - Number(other.profile_id === null) || (one.id < other.id ? -1 : 1);

function nextOf({ isOwn }: Place, end: string | undefined): string | null {
  if (end !== undefined) return textOf({ isOwn, id: end });
  return isOwn ? textOf({ isOwn: false, id: beforeAll }) : null;
}

const textOf = ({ isOwn, id }: Place): string => `${isOwn ? 'own' : 'common'}:${id}`;

function placeOf(text: string): Place {
  const { kind, id } =
    /^(?<kind>own|common):(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text)?.groups ?? {};
  if (id === undefined)
    throw new Refused('VALIDATION_ERROR', 'body.after is no place in an audience.', [
      { path: 'body.after', message: 'must be `next` of the page before' },
    ]);
  return { isOwn: kind === 'own', id };
}
