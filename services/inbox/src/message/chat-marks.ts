import type { DataOf, EventEnvelope, SessionChatMarked } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { conversationStream, type ConversationCommand } from '../chat/conversation.ts';
import { markUnread, readConversation } from '../chat/read-conversation.ts';
import { causedBy } from '../fact.ts';
import { firstIdAt } from './message-id.ts';
import type { MessageTools } from './tools.ts';
import { changeIdOf, waitingChangeStream } from './waiting-change.ts';

type Marked = DataOf<typeof SessionChatMarked>;
type Chat = Pick<Marked, 'profileId' | 'chat'>;

/** Messages of one mark that are waited for, at most. */
const maxWaiting = 50;

/** Takes what the owner marked on the phone or on another linked device. */
export async function noteChatMark(tools: MessageTools, marked: Marked, event: EventEnvelope): Promise<void> {
  const { profileId, chat, mark, until, networkMessageIds } = marked;
  const metadata = causedBy(event, profileId);
  if (mark === 'read' && networkMessageIds !== undefined)
    return readMessages(tools, { ...marked, networkMessageIds }, event, metadata);
  const conversationId = await tools.addressBook.conversationOf(profileId, chat, metadata);
  if (mark === 'read') {
    await readConversation(tools, { conversationId, upTo: endOf(event.time), by: 'phone' }, { metadata });
    return;
  }
  if (mark === 'unread') return markUnread(tools, conversationId, { metadata });
  const command = commandOf(mark, { conversationId, profileId }, { until, now: event.time });
  await tools.store.handle(conversationStream, conversationId, command, { metadata });
}

/** The position behind every message of a moment. @param time ISO 8601 */
const endOf = (time: string): string => firstIdAt(Date.parse(time) + 1);

type Which = Pick<ConversationCommand, 'conversationId' | 'profileId'>;

function commandOf(
  mark: Exclude<Marked['mark'], 'read' | 'unread'>,
  which: Which,
  { until, now }: { readonly until: string | undefined; readonly now: string },
): ConversationCommand {
  switch (mark) {
    case 'archived':
    case 'unarchived':
      return { type: 'Archive', ...which, archived: mark === 'archived' };
    case 'pinned':
    case 'unpinned':
      return { type: 'Pin', ...which, pinned: mark === 'pinned' };
    case 'muted':
    case 'unmuted':
      return { type: 'Mute', ...which, muted: mark === 'muted', now, ...(until !== undefined && { until }) };
  }
}

/**
 * Counts messages as read, up to the newest of them. A message that is not stored yet is waited for, as a change is: it is kept first
 * and looked for again then, so that one of both finds the other.
 */
async function readMessages(
  tools: MessageTools,
  { profileId, chat, networkMessageIds, at }: Marked & { readonly networkMessageIds: readonly string[] },
  event: EventEnvelope,
  metadata: EventMetadata,
): Promise<void> {
  const missing = await readStored(tools, { profileId, chat }, networkMessageIds, metadata);
  for (const networkMessageId of missing.slice(-maxWaiting)) {
    const which = { changeId: changeIdOf(`${event.id} ${networkMessageId}`), profileId, networkMessageId };
    const target = { networkMessageId, fromMe: false };
    const told = { profileId, chat, fromMe: true, target, at, change: { type: 'read' }, delivery: 'live' } as const;
    await tools.waitingChanges.expect(which);
    const keep = { type: 'Keep', told, sequence: event.sequence, ...which } as const;
    await tools.store.handle(waitingChangeStream, which.changeId, keep, { metadata });
    if ((await readStored(tools, { profileId, chat }, [networkMessageId], metadata)).length === 0)
      await tools.store.handle(waitingChangeStream, which.changeId, { type: 'Settle', ...which }, { metadata });
  }
}

/**
 * Counts stored messages as read by the owner, up to the newest of these.
 *
 * @returns network ids of those that are not stored
 */
export async function readStored(
  tools: MessageTools,
  { profileId, chat }: Chat,
  networkMessageIds: readonly string[],
  metadata: EventMetadata,
): Promise<readonly string[]> {
  const conversationId = await tools.addressBook.conversationOf(profileId, chat, metadata);
  const rows = await tools.sql.query<{ id: string; network_message_id: string }>(
    `SELECT m.id, m.network_message_id FROM messages m LEFT JOIN conversation_aliases a ON a.id = m.conversation_id
      WHERE m.profile_id = $1 AND m.network_message_id = ANY ($2) AND m.direction = 'incoming'
        AND coalesce(a.conversation_id, m.conversation_id) = $3
      ORDER BY m.id DESC`,
    [profileId, networkMessageIds, conversationId],
  );
  const [newest] = rows;
  if (newest !== undefined)
    await readConversation(tools, { conversationId, upTo: newest.id, by: 'phone' }, { metadata });
  const stored = new Set(rows.map((row) => row.network_message_id));
  return networkMessageIds.filter((id) => !stored.has(id));
}
