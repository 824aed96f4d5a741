import type { DataOf, SessionMessage } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { addressOf } from '../chat/address-book.ts';
import type { MessageTools } from './tools.ts';
import type { NetworkIdentity } from './message-id.ts';
import { publicId } from './records.ts';

export interface Known {
  readonly id: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly author: string | null;
  readonly here: boolean;
}

/**
 * Whether a message is there already that its key does not keep away: what the gateway itself sent can come back as written
 * by the owner, history brings messages whose keys the journal has long forgotten, and what was stored before two names
 * turned out to be one person's has a key of the other name.
 *
 * @param joined the chat or the author has had another name
 */
export async function isStored(
  tools: MessageTools,
  { profileId, networkMessageId, fromMe, chat, delivery, sentAt }: DataOf<typeof SessionMessage>,
  { conversationId, author: person }: NetworkIdentity,
  joined: boolean,
  metadata: EventMetadata,
): Promise<boolean> {
  if (!fromMe && delivery === 'live' && !joined) return false;
  if (delivery === 'history' && (await wasCleared(tools, conversationId, sentAt))) return true;
  const which = { profileId, networkMessageId, fromMe, chat };
  return (await findStored(tools, which, { conversationId, author: person, networkMessageId }, metadata)) !== undefined;
}

/** The id of a stored message of the network; of one from a group by its author. */
export async function findStored(
  tools: MessageTools,
  {
    profileId,
    networkMessageId,
    fromMe,
    chat,
  }: Pick<DataOf<typeof SessionMessage>, 'profileId' | 'networkMessageId' | 'fromMe' | 'chat'>,
  { conversationId, author: person }: NetworkIdentity,
  metadata: EventMetadata,
): Promise<string | undefined> {
  const known = await findKnown(tools, profileId, networkMessageId, conversationId);
  if (fromMe) return known.find((one) => one.direction === 'outgoing')?.id;
  const here = known.filter((one) => one.direction === 'incoming' && one.here);
  if (!chat.jid.endsWith('@g.us')) return here[0]?.id;
  const people = await Promise.all(
    here.map(async ({ author }) =>
      author === null ? undefined : tools.addressBook.conversationOf(profileId, addressOf(author), metadata),
    ),
  );
  return here.find((_, index) => people[index] === person)?.id;
}

/** Whether somebody has cleared the conversation after the message was written: then history does not bring it back. */
async function wasCleared({ sql }: MessageTools, conversationId: string, sentAt: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM conversations WHERE id = $1 AND cleared_at >= $2', [
    conversationId,
    sentAt,
  ]);
  return rows.length > 0;
}

/** The stored message that another one quotes, in the same conversation if there is one. */
export async function quotedBy(
  tools: MessageTools,
  profileId: string,
  conversationId: string,
  networkMessageId: string | undefined,
): Promise<string | undefined> {
  if (networkMessageId === undefined) return undefined;
  const known = await findKnown(tools, profileId, networkMessageId, conversationId);
  return (known.find((one) => one.here) ?? known[0])?.id;
}

/** Messages of a profile under one network id: more than one when senders chose the same. */
export async function findKnown(
  { sql }: MessageTools,
  profileId: string,
  networkMessageId: string,
  conversationId: string,
): Promise<Known[]> {
  return sql.query<Known>(
    `SELECT ${publicId} AS id, m.direction, m.author, coalesce(a.conversation_id, m.conversation_id) = $3 AS here
       FROM messages m LEFT JOIN conversation_aliases a ON a.id = m.conversation_id
      WHERE m.profile_id = $1 AND m.network_message_id = $2 ORDER BY m.id LIMIT 20`,
    [profileId, networkMessageId, conversationId],
  );
}
