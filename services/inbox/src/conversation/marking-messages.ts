import {
  conversationIdOf,
  DescribeProfile,
  parseRecipient,
  type BodyOf,
  type Caller,
  type MarkMessagesRead,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, profileNotConnected, type OperationInput } from '@messaging-gateway/service';
import type { ConversationTools } from './tools.ts';
import { findConversation } from './finding.ts';
import type { UnreadMessage } from '../chat/read-conversation.ts';
import { readUpTo, sendReceipts } from './marking-read.ts';

type Body = BodyOf<typeof MarkMessagesRead>;

/** `POST /messages/mark-read`: receipts are sent now or not at all, so the profile has to be connected. */
export async function markMessagesRead(
  tools: ConversationTools,
  { body, caller, context }: OperationInput<Body>,
): Promise<{ chatId: string; messageIds: string[] }> {
  const { profileId, messageIds } = body;
  assertProfileAllowed(caller, profileId);
  const named = parseRecipient(body.chatId)?.jid;
  const profile = await tools.ask(DescribeProfile, { organizationId: caller.organizationId, profileId });
  if (profile.status !== 'connected') throw profileNotConnected(profile);
  const id = named === undefined ? body.chatId.toLowerCase() : conversationIdOf(profileId, named);
  const conversation = await findConversation(tools, id, caller);
  if (conversation.profile_id !== profileId) throw new Refused('NOT_FOUND', 'The profile has no such conversation.');
  const chatId = named ?? conversation.jid;
  if (messageIds === undefined) {
    const read = await readUpTo(tools, conversation.id, { caller, context });
    return { chatId, messageIds: read.map(({ id }) => id) };
  }
  const messages = await incomingMessages(tools, conversation.id, messageIds, caller);
  await sendReceipts(tools, conversation, messages, caller);
  await countDown(tools, conversation.id, messages, { caller, context });
  return { chatId, messageIds };
}

/** Counts messages as read up to the newest one that is named, too: its reader has read those before, whose receipts were not asked for. */
async function countDown(
  tools: ConversationTools,
  id: string,
  named: readonly UnreadMessage[],
  asked: Pick<OperationInput<Body>, 'caller' | 'context'>,
): Promise<void> {
  const [newest] = named;
  if (newest !== undefined) await readUpTo(tools, id, { ...asked, upTo: newest.id, silent: true });
}

/** Newest first. @throws Refused NOT_FOUND naming the first that is none of the conversation's incoming messages */
async function incomingMessages(
  tools: ConversationTools,
  conversationId: string,
  messageIds: readonly string[],
  { organizationId }: Caller,
): Promise<UnreadMessage[]> {
  const found = await tools.sql.query<UnreadMessage>(
    `SELECT m.id, m.network_message_id, m.author FROM messages m
      WHERE m.id = any ($1::uuid[]) AND m.organization_id = $2 AND m.direction = 'incoming' AND NOT m.removed
        AND (m.conversation_id = $3
         OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $3))
      ORDER BY m.id DESC`,
    [messageIds, organizationId, conversationId],
  );
  const known = new Set(found.map(({ id }) => id));
  const missing = messageIds.findIndex((id) => !known.has(id));
  if (missing >= 0) {
    const path = `body.messageIds[${missing}]`;
    throw new Refused('NOT_FOUND', 'The chat has no such incoming message.', [{ path, message: 'is not known' }]);
  }
  return found;
}
