import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ReadBy } from '../chat/conversation.ts';
import { readConversation } from '../chat/read-conversation.ts';
import type { Outgoing } from './message.ts';
import { placeOf } from './place.ts';
import type { MessageTools } from './tools.ts';

/**
 * Counts the messages before an answer as read: the owner wrote it on the phone, or somebody through the API. No read receipts leave.
 * Messages that nobody writes as an answer (bulk, broadcasts, schedules, automation, one-time codes) change nothing.
 */
export async function readByAnswer(tools: MessageTools, answer: Outgoing, metadata: EventMetadata): Promise<void> {
  const by = readerOf(answer);
  if (by === undefined || !(await tools.unreadConversations.load(answer.conversationId))) return;
  const reading = { conversationId: answer.conversationId, upTo: placeOf(answer), by };
  await readConversation(tools, reading, { metadata });
}

function readerOf({ origin, isCode, silent, type }: Outgoing): ReadBy | undefined {
  if (silent || isCode === true || type === 'unsupported') return undefined;
  return origin === 'phone' ? 'phone' : origin === 'api' ? 'answer' : undefined;
}
