import { DescribePerson } from '@messaging-gateway/contracts';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { ChatwootFailed, type ChatwootClient } from './client.ts';
import type { Lane } from './outbox.ts';
import type { Inbox } from './settings.ts';

export interface RemoteParts {
  readonly sql: Sql;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly client: ChatwootClient;
}

/** Contact and conversation of a chat in Chatwoot. */
interface Standing {
  readonly contactId: number;
  readonly conversation: number;
}

const isGone = (error: unknown): boolean => error instanceof ChatwootFailed && error.status === 404;

/**
 * Does something in the conversation that stands for a chat, which is made when there is none; what was deleted there is made anew,
 * once.
 */
export async function inConversation<Result>(
  parts: RemoteParts,
  inbox: Inbox,
  lane: Lane,
  work: (conversation: number) => Promise<Result>,
): Promise<Result> {
  if (lane.remote_id !== null) {
    try {
      return await work(Number(lane.remote_id));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  const { conversation } = await make(parts, inbox, lane);
  return work(conversation);
}

async function make(parts: RemoteParts, inbox: Inbox, lane: Lane): Promise<Standing> {
  const { sql } = parts;
  // Whoever dies from here on may have made it.
  await sql.query('UPDATE chatwoot_lanes SET making = true, remote_id = NULL WHERE conversation_id = $1', [
    lane.conversation_id,
  ]);
  let contact = await contactOf(parts, inbox, lane);
  let conversation: number;
  try {
    conversation = await conversationOf(parts, inbox, lane, contact);
  } catch (error) {
    const isContactGone = error instanceof ChatwootFailed && (error.status === 404 || error.status === 422);
    if (!isContactGone || contact.isNew) throw error;
    await sql.query('DELETE FROM chatwoot_contacts WHERE organization_id = $1 AND contact_id = $2', [
      lane.organization_id,
      contact.id,
    ]);
    contact = await contactOf(parts, inbox, lane);
    conversation = await conversationOf(parts, inbox, lane, contact);
  }
  await sql.query(
    'UPDATE chatwoot_lanes SET making = false, contact_id = $2, remote_id = $3 WHERE conversation_id = $1',
    [lane.conversation_id, contact.id, conversation],
  );
  return { contactId: contact.id, conversation };
}

interface Contact {
  readonly id: number;
  /** Made just now, with its place in the inbox. */
  readonly isNew: boolean;
}

async function conversationOf({ client }: RemoteParts, inbox: Inbox, lane: Lane, contact: Contact): Promise<number> {
  const ours = lane.conversation_id;
  if (!contact.isNew) {
    // It may have been made before, or be there after all.
    const found = await client.findConversation(inbox, contact.id, ours);
    if (found !== undefined) return found;
    await client.placeContact(inbox, contact.id, ours);
  }
  return client.makeConversation(inbox, contact.id, ours);
}

/** The contact for the person of a chat, whatever profile knows them, by phone or by LID; of a group its JID. */
async function contactOf({ sql, ask, client }: RemoteParts, inbox: Inbox, lane: Lane): Promise<Contact> {
  const { organization_id: organizationId, profile_id: profileId, chat } = lane;
  const person = await ask(DescribePerson, { organizationId, profileId, jid: chat });
  const isGroup = chat.endsWith('@g.us');
  const phone = isGroup ? null : (person.phone ?? /^(\d+)@c\.us$/.exec(chat)?.[1] ?? null);
  const keys = [...new Set([phone, person.lid, chat].filter((key) => key !== null))];
  const rows = await sql.query<{ contact_id: string }>(
    'SELECT contact_id FROM chatwoot_contacts WHERE organization_id = $1 AND person = ANY ($2::text[]) LIMIT 1',
    [organizationId, keys],
  );
  const known = rows[0] === undefined ? undefined : Number(rows[0].contact_id);
  const identifier = phone === null ? chat : `${phone}@c.us`;
  const made =
    known ??
    (await client.makeContact(inbox, {
      name: person.name ?? person.pushName ?? (phone === null ? chat : `+${phone}`),
      ...(phone !== null && { phone_number: `+${phone}` }),
      identifier,
      source_id: lane.conversation_id,
    }));
  const looked = phone === null ? [identifier] : [`+${phone}`, identifier];
  const id = made ?? (await client.findContact(inbox, looked));
  if (id === undefined) throw new ChatwootFailed('CONTACT_REFUSED');
  await sql.query(
    `INSERT INTO chatwoot_contacts (organization_id, person, contact_id) SELECT $1, unnest($2::text[]), $3
     ON CONFLICT (organization_id, person) DO UPDATE SET contact_id = excluded.contact_id`,
    [organizationId, keys, id],
  );
  return { id, isNew: known === undefined && made !== undefined };
}
