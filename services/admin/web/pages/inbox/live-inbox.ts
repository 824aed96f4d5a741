import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { useReread } from '../../api/asking.ts';
import { useLiveEvents, type LiveEvent } from '../../live/live.tsx';
import { KeptConversations } from './conversations.ts';
import { messageIn } from './event-changes.ts';
import { KeptMessages } from './messages.ts';
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
  const gathered = useGathering(conversations, messages, () => reread('ListConversations', 'ListConversationMessages'));
  useLiveEvents((event) => {
    const { data } = event;
    const conversationId = typeof data['conversationId'] === 'string' ? data['conversationId'] : undefined;
    if (conversationId === undefined) return;
    if (event.event === 'conversation.updated') return gathered.conversation(conversationId);
    if (!event.event.startsWith('message.')) return;
    const message = messageIn(event);
    if (message !== undefined) return take(message, event);
    const id = String(data['messageId']);
    if (event.event === 'message.status') {
      const status = data['status'] as Message['status'];
      const change = (known: Message): Message => ({ ...known, status: later(known.status, status) });
      messages.patch(conversationId, id, change);
      conversations.patch(conversationId, (known) =>
        known.lastMessage?.id === id ? { ...known, lastMessage: change(known.lastMessage) } : known,
      );
      if (messages.has(conversationId) && messages.find(conversationId, id) === undefined) gathered.message(id);
      return;
    }
    if (messages.has(conversationId)) gathered.message(id);
    if (event.event === 'message.queued') gathered.conversation(conversationId);
  });

  function take(message: Message, { event, data }: LiveEvent): void {
    const { conversationId, author } = message;
    if (author !== undefined && typeof data['pushName'] === 'string') pushNames.set(author, data['pushName']);
    const known = messages.find(conversationId, message.id);
    messages.put(known === undefined ? message : { ...known, status: later(known.status, message.status) });
    const conversation = conversations.find(conversationId);
    if (conversation === undefined) return gathered.conversation(conversationId);
    const isNewest = (conversation.lastMessageAt ?? '') <= message.timestamp;
    conversations.put({
      ...conversation,
      ...(isNewest && { lastMessage: message, lastMessageAt: message.timestamp }),
      unreadCount: conversation.unreadCount + (event === 'message.received' && data['replayed'] !== true ? 1 : 0),
    });
  }
}

interface Gathering {
  readonly conversation: (id: string) => void;
  readonly message: (id: string) => void;
}

/** Reads what events only name: a few singly, many as the lists that they are in. */
function useGathering(conversations: KeptConversations, messages: KeptMessages, rereadAll: () => void): Gathering {
  const due = useRef({ conversations: new Set<string>(), messages: new Set<string>() });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readDue = async () => {
    timer.current = undefined;
    const asked = due.current;
    due.current = { conversations: new Set(), messages: new Set() };
    if (asked.conversations.size + asked.messages.size > mostSingly) return rereadAll();
    const reads = [
      ...[...asked.conversations].map((id) =>
        ask('GetConversation', { params: { id }, query: {} }).then((conversation) => conversations.put(conversation)),
      ),
      ...[...asked.messages].map((id) =>
        ask('GetMessage', { params: { id }, query: {} }).then((message) => messages.put(message)),
      ),
    ];
    for (const outcome of await Promise.allSettled(reads))
      if (outcome.status === 'rejected' && !(outcome.reason instanceof Problem)) throw outcome.reason;
  };
  const later = () => {
    timer.current ??= setTimeout(() => void readDue(), gatheredMs);
  };
  return {
    conversation: (id) => {
      due.current.conversations.add(id);
      later();
    },
    message: (id) => {
      due.current.messages.add(id);
      later();
    },
  };
}
