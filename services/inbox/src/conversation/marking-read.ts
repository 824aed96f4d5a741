import { SendReadReceipts, type Caller, type Conversation } from '@messaging-gateway/contracts';
import type { OperationInput, RequestContext } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { InboxTools } from '../tools.ts';
import { conversationStream } from './conversation.ts';
import { findConversation, shownConversations, type ConversationRow } from './finding.ts';

/** Receipts sent at most: who has left more unread can't have seen them all. */
const mostReceipts = 1000;

interface UnreadMessage {
  readonly id: string;
  readonly network_message_id: string;
  readonly author: string | null;
}

/** Others that read it at the same moment are waited for so often. */
const mostTries = 5;

/** Sets the unread count to zero; read receipts go out when the profile is connected. */
export async function markRead(
  tools: InboxTools,
  { params, caller, context }: OperationInput<unknown>,
): Promise<Static<typeof Conversation>> {
  const { id } = await findConversation(tools, params['id'], caller);
  for (let tries = 0; tries < mostTries && !(await countDown(tools, id, caller, context)); tries++);
  const [shown] = await shownConversations(tools, [await findConversation(tools, id, caller)]);
  return shown as Static<typeof Conversation>;
}

/** @returns whether that is all; false when somebody else counted down what was counted here */
async function countDown(tools: InboxTools, id: string, caller: Caller, context: RequestContext): Promise<boolean> {
  // Before the count: what is read in between makes the count void.
  const { state } = await tools.store.load(conversationStream, id);
  const before = await findConversation(tools, id, caller);
  const { id: conversationId, profile_id: profileId, unread_count: count } = before;
  if (count === 0) return true;
  const unread = await unreadMessages(tools, before, caller);
  const upTo = unread[0]?.id ?? before.last_message_id;
  const { outcome } = await tools.store.handle(
    conversationStream,
    conversationId,
    { type: 'Read', conversationId, profileId, count, upTo, reads: state.reads },
    { metadata: metadataOf(profileId, caller, context), onAppended: context.appended },
  );
  if (outcome === 'appended') await sendReceipts(tools, before, unread, caller);
  return outcome === 'appended';
}

function metadataOf(profileId: string, { organizationId, apiKeyId, userId }: Caller, context: RequestContext) {
  return {
    organizationId,
    profileId,
    subject: `organization:${organizationId}`,
    actor: apiKeyId === undefined ? `user:${userId}` : `api_key:${apiKeyId}`,
    requestId: context.requestId,
  };
}

async function unreadMessages(
  tools: InboxTools,
  conversation: ConversationRow,
  { organizationId }: Caller,
): Promise<UnreadMessage[]> {
  return tools.sql.query<UnreadMessage>(
    `SELECT m.id, m.network_message_id, m.author FROM messages m
      WHERE m.organization_id = $2 AND m.direction = 'incoming' AND (m.conversation_id = $1
         OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $1))
      ORDER BY m.id DESC LIMIT $3`,
    [conversation.id, organizationId, Math.min(conversation.unread_count, mostReceipts)],
  );
}

/** Best effort: the conversation is read here, whether or not the network hears of it. */
async function sendReceipts(
  tools: InboxTools,
  conversation: ConversationRow,
  unread: readonly UnreadMessage[],
  { organizationId }: Caller,
): Promise<void> {
  const { profile_id: profileId, jid: chat } = conversation;
  const inGroup = chat.endsWith('@g.us');
  const messages = unread.map(({ network_message_id: networkMessageId, author }) => ({
    networkMessageId,
    ...(inGroup && author !== null && { author }),
  }));
  try {
    await tools.ask(SendReadReceipts, { organizationId, profileId, chat, messages });
  } catch (error) {
    tools.log.info('Read receipts were not sent', { profileId, reason: (error as Error).message });
  }
}
