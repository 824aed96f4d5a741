import { DescribePerson } from '@messaging-gateway/contracts';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import type { NumberChange } from './told.ts';
import { ChatwootFailed, type ChatwootClient } from './client.ts';
import type { Lane } from './outbox.ts';
import type { Inbox } from './settings.ts';

export interface RemoteParts {
  readonly sql: Sql;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly client: ChatwootClient;
}

/** A contact in Chatwoot. */
export interface Contact {
  readonly id: number;
  /** Made just now, with its place in the inbox. */
  readonly isNew: boolean;
}

/** Who is behind a chat. */
interface Person {
  readonly name: string | null;
  /** Digits; null: nobody knows it, or it is a group. */
  readonly phone: string | null;
  /** All that is known to stand for them: phone, LID, JID. */
  readonly keys: readonly string[];
}

async function personOf({ ask }: RemoteParts, lane: Lane, chat: string): Promise<Person> {
  const { organization_id: organizationId, profile_id: profileId } = lane;
  const { lid, name, ...known } = await ask(DescribePerson, { organizationId, profileId, jid: chat });
  const phone = chat.endsWith('@g.us') ? null : (known.phone ?? phoneIn(chat));
  const keys = [phone, phoneIn(chat), lid, chat].filter((key) => key !== null);
  return { name: name ?? known.pushName, phone, keys: [...new Set(keys)] };
}

const phoneIn = (chat: string): string | null => /^(\d+)@c\.us$/.exec(chat)?.[1] ?? null;

/** The contact for the person of a chat, whatever profile knows them, by phone or by LID; of a group its JID. */
export async function contactOf(parts: RemoteParts, inbox: Inbox, lane: Lane): Promise<Contact> {
  const { client } = parts;
  const { chat } = lane;
  const person = await personOf(parts, lane, chat);
  const known = await knownAs(parts, inbox, lane, person);
  if (known !== undefined) return { id: known, isNew: false };
  const { name, phone, keys } = person;
  const identifier = phone === null ? chat : `${phone}@c.us`;
  const made = await client.makeContact(inbox, {
    name: name ?? (phone === null ? chat : `+${phone}`),
    ...(phone !== null && { phone_number: `+${phone}` }),
    identifier,
    source_id: lane.conversation_id,
  });
  const looked = phone === null ? [identifier] : [`+${phone}`, identifier];
  const id = made ?? (await client.findContact(inbox, looked));
  if (id === undefined) throw new ChatwootFailed('CONTACT_REFUSED');
  await remember(parts, lane, keys, id);
  return { id, isNew: made !== undefined };
}

/** Makes one contact of those that stand for the person of a chat, now that they are known to be one. */
export async function uniteContacts(parts: RemoteParts, inbox: Inbox, lane: Lane): Promise<void> {
  const others = await parts.sql.query<{ chat: string }>(
    `SELECT chat FROM chatwoot_lanes WHERE organization_id = $1 AND joined_into = $2 AND chat <> ''`,
    [lane.organization_id, lane.conversation_id],
  );
  const chats = new Set([lane.chat, ...others.map(({ chat }) => chat)].filter((chat) => chat !== ''));
  const people: Person[] = [];
  for (const chat of chats) people.push(await personOf(parts, lane, chat));
  const [first] = people;
  if (first === undefined) return;
  const phone = people.find((one) => one.phone !== null)?.phone ?? null;
  await knownAs(parts, inbox, lane, { ...first, phone, keys: [...new Set(people.flatMap(({ keys }) => keys))] });
}

/** Gives the contact of a person the new phone number. The number before stands for nobody from then on. */
export async function renumberContact(
  parts: RemoteParts,
  inbox: Inbox,
  lane: Lane,
  { phone, previousPhone }: NumberChange,
): Promise<void> {
  const { client, sql } = parts;
  const { organization_id: organizationId } = lane;
  const before = [previousPhone, `${previousPhone}@c.us`];
  const [row] = await sql.query<{ contact_id: string }>(
    'SELECT contact_id FROM chatwoot_contacts WHERE organization_id = $1 AND person = ANY ($2::text[]) ORDER BY contact_id LIMIT 1',
    [organizationId, before],
  );
  if (row === undefined) return;
  const id = Number(row.contact_id);
  const holder = await client.setPhone(inbox, id, `+${phone}`);
  if (holder !== undefined) await merge(parts, inbox, organizationId, { id, other: holder });
  await remember(parts, lane, [phone, `${phone}@c.us`], id);
  await sql.query('DELETE FROM chatwoot_contacts WHERE organization_id = $1 AND person = ANY ($2::text[])', [
    organizationId,
    before,
  ]);
}

/** Finds the contact that stands for a person; of several one is made, and a phone that was not known is told. */
async function knownAs(parts: RemoteParts, inbox: Inbox, lane: Lane, person: Person): Promise<number | undefined> {
  const { client, sql } = parts;
  const { organization_id: organizationId } = lane;
  const { keys, phone } = person;
  const rows = await sql.query<{ person: string; contact_id: string }>(
    'SELECT person, contact_id FROM chatwoot_contacts WHERE organization_id = $1 AND person = ANY ($2::text[]) ORDER BY contact_id',
    [organizationId, keys],
  );
  const [id, ...others] = [...new Set(rows.map(({ contact_id }) => Number(contact_id)))];
  if (id === undefined) return undefined;
  for (const other of others) await merge(parts, inbox, organizationId, { id, other });
  if (phone !== null && !rows.some((row) => row.person === phone)) {
    const holder = await client.setPhone(inbox, id, `+${phone}`);
    if (holder !== undefined) await merge(parts, inbox, organizationId, { id, other: holder });
  }
  if (keys.some((key) => !rows.some((row) => row.person === key)) || others.length > 0)
    await remember(parts, lane, keys, id);
  return id;
}

async function merge(
  { client, sql }: RemoteParts,
  inbox: Inbox,
  organizationId: string,
  { id, other }: { readonly id: number; readonly other: number },
): Promise<void> {
  await client.mergeContacts(inbox, id, other);
  const ids = [organizationId, id, other];
  await sql.query('UPDATE chatwoot_contacts SET contact_id = $2 WHERE organization_id = $1 AND contact_id = $3', ids);
  await sql.query('UPDATE chatwoot_lanes SET contact_id = $2 WHERE organization_id = $1 AND contact_id = $3', ids);
}

async function remember({ sql }: RemoteParts, lane: Lane, keys: readonly string[], id: number): Promise<void> {
  await sql.query(
    `WITH lane AS (SELECT organization_id FROM chatwoot_lanes WHERE conversation_id = $1 FOR KEY SHARE)
     INSERT INTO chatwoot_contacts (organization_id, person, contact_id)
     SELECT organization_id, unnest($2::text[]), $3 FROM lane
     ON CONFLICT (organization_id, person) DO UPDATE SET contact_id = excluded.contact_id`,
    [lane.conversation_id, keys, id],
  );
}
