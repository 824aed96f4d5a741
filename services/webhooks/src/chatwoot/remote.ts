import { ChatwootFailed } from './client.ts';
import { contactOf, type Contact, type RemoteParts } from './contacts.ts';
import type { Lane } from './outbox.ts';
import type { Inbox } from './settings.ts';

/** Contact and conversation of a chat in Chatwoot. */
interface Standing {
  readonly contactId: number;
  readonly conversation: number;
}

/** The organization was erased meanwhile: nothing more of it is posted. */
export class LaneGone extends Error {
  constructor() {
    super('There is no such chat any more.');
  }
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
  const kept = await sql.query(
    'UPDATE chatwoot_lanes SET making = false, contact_id = $2, remote_id = $3 WHERE conversation_id = $1 RETURNING 1',
    [lane.conversation_id, contact.id, conversation],
  );
  if (kept.length === 0) throw new LaneGone();
  return { contactId: contact.id, conversation };
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
