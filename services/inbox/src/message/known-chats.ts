import {
  type AnswerOf,
  type BodyOf,
  conversationIdOf,
  type ListKnownChats,
  parseRecipient,
} from '@messaging-gateway/contracts';
import { contactIdOf } from '../contact/contact-id.ts';
import { contactStream } from '../contact/contact.ts';
import type { MessageTools } from './tools.ts';

/** SQL: chats ($1) with a stored message of the other person, under any id of the conversation. */
const withIncoming = `
  SELECT chat.id FROM unnest($1::uuid[]) AS chat(id)
   CROSS JOIN LATERAL (SELECT coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = chat.id), chat.id) AS id) AS target
   WHERE EXISTS (SELECT FROM messages m WHERE m.conversation_id = target.id AND m.direction = 'incoming')
      OR EXISTS (SELECT FROM messages m JOIN conversation_aliases alias ON m.conversation_id = alias.id
                  WHERE alias.conversation_id = target.id AND m.direction = 'incoming')`;

/** Chats of a profile in which the other person has written: in a stored message, or earlier. The profile's own chat and groups count too. */
export async function listKnownChats(
  { sql, store, ownNumbers }: MessageTools,
  { organizationId, profileId, chats }: BodyOf<typeof ListKnownChats>,
): Promise<AnswerOf<typeof ListKnownChats>> {
  const own = await ownNumbers.jidOf(profileId, organizationId);
  const rows = await sql.query<{ id: string }>(withIncoming, [chats.map((chat) => conversationIdOf(profileId, chat))]);
  const stored = new Set(rows.map(({ id }) => id));
  const hasWritten = async (chat: string): Promise<boolean> => {
    if (chat.endsWith('@g.us') || chat === own || stored.has(conversationIdOf(profileId, chat))) return true;
    // Messages that were deleted or cleared leave this mark at the contact.
    const contactId = contactIdOf({ organizationId, profileId }, parseRecipient(chat)?.phone ?? chat);
    return (await store.load(contactStream, contactId)).state.firstHeard !== undefined;
  };
  const known: string[] = [];
  for (const chat of chats) if (await hasWritten(chat)) known.push(chat);
  return { known };
}
