import { SendReadReceipts, type Caller, type Conversation, type ReadConversation } from '@messaging-gateway/contracts';
import { askHolder, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askedBy } from '../fact.ts';
import type { ConversationTools } from './tools.ts';
import { conversationStream } from '../chat/conversation.ts';
import { findConversation, shownConversation, type ConversationRow } from './finding.ts';

/** Receipts sent at most: who has left more unread can't have seen them all. */
const mostReceipts = 1000;

export interface UnreadMessage {
  readonly id: string;
  readonly network_message_id: string;
  readonly author: string | null;
}

/** Tries, at most: others may read it at the same moment. */
const mostTries = 5;

/** Sets the unread count to zero; read receipts go out when the profile is connected. */
export async function markRead(
  tools: ConversationTools,
  { params, caller, context }: InputOf<typeof ReadConversation>,
): Promise<Static<typeof Conversation>> {
  const { id } = await findConversation(tools, params.id, caller);
  await readUpTo(tools, id, { caller, context });
  return shownConversation(tools, id, caller);
}

/** A reading of a conversation, and up to which message (its id). Absent: all of it. */
export interface Reading extends Pick<InputOf<typeof ReadConversation>, 'caller' | 'context'> {
  readonly upTo?: string;
  /** Without receipts. */
  readonly silent?: boolean;
}

/** Counts down what was unread, with receipts for the newest 1000 of it. @returns those */
export async function readUpTo(
  tools: ConversationTools,
  id: string,
  reading: Reading,
): Promise<readonly UnreadMessage[]> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = await countDown(tools, id, reading);
    if (read !== undefined) return read;
  }
  return [];
}

/** @returns undefined when somebody else counted down what was counted here */
async function countDown(
  tools: ConversationTools,
  id: string,
  { caller, context, upTo: newest, silent = false }: Reading,
): Promise<readonly UnreadMessage[] | undefined> {
  // Before the count: what is read in between makes the count void.
  const { state } = await tools.store.load(conversationStream, id);
  const before = await findConversation(tools, id, caller);
  const { id: conversationId, profile_id: profileId, unread_count: all } = before;
  if (all === 0) return [];
  const counted = await unreadMessages(tools, before, caller);
  const unread = newest === undefined ? counted : counted.filter((message) => message.id <= newest);
  const count = all - (counted.length - unread.length);
  if (count === 0) return [];
  const upTo = unread[0]?.id ?? before.last_message_id;
  const { outcome } = await tools.store.handle(
    conversationStream,
    conversationId,
    { type: 'Read', conversationId, profileId, count, upTo, reads: state.reads },
    { metadata: askedBy(caller, context, profileId), onAppended: context.appended },
  );
  if (outcome !== 'appended') return undefined;
  if (!silent) await tryReceipts(tools, before, unread, caller);
  return unread;
}

async function unreadMessages(
  tools: ConversationTools,
  conversation: ConversationRow,
  { organizationId }: Caller,
): Promise<UnreadMessage[]> {
  return tools.sql.query<UnreadMessage>(
    `SELECT m.id, m.network_message_id, m.author FROM messages m
      WHERE m.organization_id = $2 AND m.direction = 'incoming' AND NOT m.removed AND (m.conversation_id = $1
         OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $1))
      ORDER BY m.id DESC LIMIT $3`,
    [conversation.id, organizationId, Math.min(conversation.unread_count, mostReceipts)],
  );
}

/** Best effort: the conversation is read here, whether or not the network hears of it. */
async function tryReceipts(
  tools: ConversationTools,
  conversation: ConversationRow,
  unread: readonly UnreadMessage[],
  caller: Caller,
): Promise<void> {
  try {
    await sendReceipts(tools, conversation, unread, caller);
  } catch (error) {
    const { profile_id: profileId } = conversation;
    tools.log.info('Read receipts were not sent', { profileId, reason: (error as Error).message });
  }
}

/** @throws Refused PROFILE_NOT_CONNECTED, and what the holder says */
export async function sendReceipts(
  tools: ConversationTools,
  { profile_id: profileId, jid: chat }: Pick<ConversationRow, 'profile_id' | 'jid'>,
  unread: readonly UnreadMessage[],
  { organizationId }: Caller,
): Promise<void> {
  const inGroup = chat.endsWith('@g.us');
  const messages = unread.map(({ network_message_id: networkMessageId, author }) => ({
    networkMessageId,
    ...(inGroup && author !== null && { author }),
  }));
  await askHolder(tools, SendReadReceipts, { organizationId, profileId, chat, messages }, {});
}
