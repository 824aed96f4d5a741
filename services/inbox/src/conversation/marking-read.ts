import { SendReadReceipts, type Caller, type Conversation, type ReadConversation } from '@messaging-gateway/contracts';
import { askHolder, type InputOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { askedBy } from '../fact.ts';
import type { ConversationTools } from './tools.ts';
import { readConversation, type UnreadMessage } from '../chat/read-conversation.ts';
import { findConversation, shownConversation, type ConversationRow } from './finding.ts';

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

/** Counts down the unread messages, with read receipts for at most 1000 of them. @returns those */
export async function readUpTo(
  tools: ConversationTools,
  id: string,
  { caller, context, upTo, silent = false }: Reading,
): Promise<readonly UnreadMessage[]> {
  const conversation = await findConversation(tools, id, caller);
  const read = await readConversation(
    tools,
    { conversationId: conversation.id, ...(upTo !== undefined && { upTo }) },
    { metadata: askedBy(caller, context, conversation.profile_id), onAppended: context.appended },
  );
  if (!silent && read.length > 0) await tryReceipts(tools, conversation, read, caller);
  return read;
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
