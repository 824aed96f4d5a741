import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { useReread } from '../../api/asking.ts';
import { useFollowed, useLiveEvents, type LiveEvent } from '../../live/live.tsx';
import { isOlder, withMessage } from './conversation-news.ts';
import { messageIn } from './event-changes.ts';
import { KeptConversations, readings } from './kept-conversations.ts';
import { KeptMessages, messageReadings } from './messages.ts';
import type { Message } from '../../messages/shapes.ts';
import { later } from '../../messages/states.ts';

/** Conversations that are asked one by one within this time are read as a list when they are more, milliseconds. */
const gatheredMs = 400;
const mostSingly = 4;

/** Names of authors in groups, as events tell them: by JID. */
export const pushNames = new Map<string, string>();

/** Lets the lists of the inbox and the chat follow what happens, also what others do. */
export function useLiveInbox(): void {
  const client = useQueryClient();
  const reread = useReread();
  const [conversations] = useState(() => new KeptConversations(client));
  const [messages] = useState(() => new KeptMessages(client));
  const gathered = useGathering({
    readConversation: (id) => conversations.read(id),
    readMessage: (conversationId, id) => messages.read(conversationId, id),
    rereadAll: () => reread('ListConversations', 'ListConversationMessages'),
  });
  useFollowed('ListConversations', 'GetConversation', 'ListConversationMessages');
  useEffect(
    () => () => {
      readings.leave();
      messageReadings.leave();
    },
    [],
  );
  useLiveEvents((event) => {
    const { data } = event;
    const conversationId = typeof data['conversationId'] === 'string' ? data['conversationId'] : undefined;
    if (conversationId === undefined) return;
    if (event.event === 'conversation.updated' || event.event === 'conversation.disappearing')
      return gathered.conversation(conversationId);
    if (!event.event.startsWith('message.')) return;
    const message = messageIn(event);
    if (message !== undefined) return take(message, event);
    const id = String(data['messageId'] ?? data['id']);
    if (event.event === 'message.status') {
      const status = data['status'] as Message['status'];
      const change = (known: Message): Message => ({ ...known, status: later(known.status, status) });
      messages.patch(conversationId, id, change);
      conversations.patch(conversationId, (known) =>
        known.lastMessage?.id === id ? { ...known, lastMessage: change(known.lastMessage) } : known,
      );
      if (messages.has(conversationId) && messages.find(conversationId, id) === undefined)
        gathered.message(conversationId, id);
      return;
    }
    if (messages.has(conversationId)) gathered.message(conversationId, id);
    if (event.event === 'message.queued' || event.event === 'message.recovered') gathered.conversation(conversationId);
  });

  function take(message: Message, { event, data }: LiveEvent): void {
    const { conversationId, author } = message;
    if (author !== undefined && typeof data['pushName'] === 'string') pushNames.set(author, data['pushName']);
    messages.hear(message);
    const isUnread = event === 'message.received' && data['replayed'] !== true;
    const conversation = conversations.find(conversationId);
    // Whether one that came late is counted already only the server knows.
    if (conversation === undefined || (isUnread && isOlder(message, conversation)))
      return gathered.conversation(conversationId);
    conversations.change(conversationId, (now) => withMessage(now, message, isUnread));
  }
}

interface Reads {
  readonly readConversation: (id: string) => Promise<void>;
  readonly readMessage: (conversationId: string, id: string) => Promise<void>;
  readonly rereadAll: () => void;
}

interface Gathering {
  readonly conversation: (id: string) => void;
  readonly message: (conversationId: string, id: string) => void;
}

/** Reads what events only name: a few singly, many as the lists that they are in, and so what could not be read for now. */
function useGathering({ readConversation, readMessage, rereadAll }: Reads): Gathering {
  const due = useRef(new Map<string, () => Promise<void>>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readDue = async () => {
    timer.current = undefined;
    const reads = [...due.current.values()];
    due.current.clear();
    if (reads.length > mostSingly) return rereadAll();
    const outcomes = await Promise.allSettled(reads.map((read) => read()));
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    for (const failure of failures) if (!(failure instanceof Problem)) throw failure;
    if (failures.some((failure) => failure instanceof Problem && failure.passing)) rereadAll();
  };
  const gather = (id: string, read: () => Promise<void>) => {
    due.current.set(id, read);
    timer.current ??= setTimeout(() => void readDue(), gatheredMs);
  };
  return {
    conversation: (id) => gather(id, () => readConversation(id)),
    message: (conversationId, id) => gather(id, () => readMessage(conversationId, id)),
  };
}
