import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ask } from '../../api/client.ts';
import { newId } from '../../api/ids.ts';
import { Problem } from '../../api/problem.ts';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Loading, useTitle } from '../../kit/page.tsx';
import { useSentence } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import type { MessageActions } from './article.tsx';
import { useAuthors } from './authors.ts';
import { suggestionFor } from './suggestion.ts';
import { ChatHeader } from './chat-header.tsx';
import { Composer } from './composer.tsx';
import { useConversation } from './conversations.ts';
import { KeptConversations } from './kept-conversations.ts';
import { Log } from './log.tsx';
import { KeptMessages, useChat } from './messages.ts';
import { unstored, type Composed, type Outgoing } from './outgoing.ts';
import { outbox } from './outbox.ts';
import { again } from './resending.ts';
import { titleOf, type Conversation, type Message } from '../../messages/shapes.ts';
import { logTexts } from './texts.ts';

/** One conversation: who it is with, what was said, and where to write. */
export function ChatPane({ id }: { readonly id: string }) {
  const conversation = useConversation(id);
  return (
    <Loaded
      of={conversation}
      waiting={
        <div className="p-6">
          <Loading />
        </div>
      }
    >
      {(found) => <ChatOf key={found.id} conversation={found} />}
    </Loaded>
  );
}

/** Messages sent from this tab into a chat, oldest first. */
export function useOutgoing(chat: string): readonly Outgoing[] {
  const all = useSyncExternalStore(outbox.watch, outbox.read);
  return useMemo(() => all.filter((one) => one.chat === chat), [all, chat]);
}

/** So long the stream has time to bring what was accepted before it is asked for, milliseconds. */
const broughtWithinMs = 1_500;

function ChatOf({ conversation }: { readonly conversation: Conversation }) {
  const { id, profileId, jid } = conversation;
  useTitle(titleOf(conversation));
  const client = useQueryClient();
  const chat = useChat(id);
  const outgoing = useOutgoing(id);
  const authorOf = useAuthors(conversation);
  const [replyingTo, setReplyingTo] = useState<Message>();
  const [deleting, setDeleting] = useState<{
    readonly message: Message;
    readonly operation: 'DeleteForEveryone' | 'DeleteMessage';
  }>();
  const [resent, setResent] = useState<readonly string[]>([]);
  const { shown, stored } = useMemo(() => unstored(outgoing, chat.items), [outgoing, chat.items]);
  const settled = stored.filter((one) => outgoing.find((it) => it.id === one)?.state !== 'sending').join();
  useEffect(() => outbox.drop(...settled.split(',').filter(Boolean)), [settled]);
  useReading(conversation);
  const fetchMessage = async (messageId: string) => {
    await new Promise((resolve) => setTimeout(resolve, broughtWithinMs));
    const messages = new KeptMessages(client);
    if (messages.find(id, messageId) === undefined) await messages.read(id, messageId);
  };
  const send = async (composed: Composed) => {
    const { messageId } = await outbox.send(id, composed);
    if (messageId !== undefined) await fetchMessage(messageId).catch(ignoreProblem);
  };
  const actions = useActions(conversation, {
    onReply: setReplyingTo,
    onDelete: (message, operation) => setDeleting({ message, operation }),
    onRetry: (message) => {
      const composed = again(message, jid);
      if (composed === undefined || resent.includes(message.id)) return;
      setResent([...resent, message.id]);
      void send(composed);
    },
  });
  const messages = useMemo(
    () => (resent.length === 0 ? chat.items : chat.items.filter((message) => !resent.includes(message.id))),
    [chat.items, resent],
  );
  return (
    <>
      <ChatHeader conversation={conversation} />
      <Log chat={chat} outgoing={shown} messages={messages} authorOf={authorOf} actions={actions} />
      <Composer
        key={id}
        chat={id}
        profileId={profileId}
        to={jid}
        replyingTo={replyingTo}
        suggestion={suggestionFor(profileId, messages)}
        onNoReply={() => setReplyingTo(undefined)}
        onSend={(composed) => void send(composed)}
        onSent={(messageId) => void fetchMessage(messageId).catch(ignoreProblem)}
      />
      {deleting && <Deleting conversation={conversation} {...deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function ignoreProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

/** Answers, reactions, removals and new tries of messages. */
function useActions({ id, profileId }: Conversation, given: Omit<MessageActions, 'onReact'>): MessageActions {
  const client = useQueryClient();
  const say = useSay();
  const sentence = useSentence();
  const react = async (message: Message, emoji: string) => {
    const messages = new KeptMessages(client);
    const others = (message.reactions ?? []).filter(({ fromMe }) => !fromMe);
    const own = emoji === '' ? [] : [{ emoji, fromMe: true, timestamp: new Date().toISOString() }];
    messages.patch(id, message.id, (now) => ({ ...now, reactions: [...others, ...own] }));
    try {
      await ask('SendReaction', { body: { profileId, messageId: message.id, emoji } }, { key: newId() });
    } catch (error) {
      ignoreProblem(error);
      messages.patch(id, message.id, (now) => ({ ...now, reactions: message.reactions ?? [] }));
      if (error instanceof Problem) say(sentence(error));
    }
  };
  const newest: MessageActions = { ...given, onReact: (message, emoji) => void react(message, emoji) };
  const latest = useRef(newest);
  useLayoutEffect(() => {
    latest.current = newest;
  });
  // The same functions for as long as the chat is shown: messages are not drawn anew because of them.
  return useMemo(
    () => ({
      onReply: (message) => latest.current.onReply(message),
      onReact: (message, emoji) => latest.current.onReact(message, emoji),
      onDelete: (message, operation) => latest.current.onDelete(message, operation),
      onRetry: (message) => latest.current.onRetry(message),
    }),
    [],
  );
}

interface DeletingGiven {
  readonly conversation: Conversation;
  readonly message: Message;
  readonly operation: 'DeleteForEveryone' | 'DeleteMessage';
  readonly onClose: () => void;
}

function Deleting({ conversation: { id, profileId }, message, operation, onClose }: DeletingGiven) {
  const t = useTexts(logTexts);
  const client = useQueryClient();
  const messages = new KeptMessages(client);
  const { id: messageId } = message;
  return operation === 'DeleteForEveryone' ? (
    <ConfirmDialog
      title={t('deleteForEveryone')}
      operation="DeleteForEveryone"
      request={{ body: { profileId, messageId } }}
      onClose={onClose}
      onDone={() => {
        messages.patch(id, messageId, (now) => ({ ...now, status: 'deleted', content: { type: 'deleted' } }));
        onClose();
      }}
    >
      {t('deleteForEveryoneText')}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={t('deleteHere')}
      operation="DeleteMessage"
      request={{ params: { id: messageId } }}
      onClose={onClose}
      onDone={() => {
        messages.drop(id, messageId);
        onClose();
      }}
    >
      {t('deleteHereText')}
    </ConfirmDialog>
  );
}

/** Receipts go out at most so often, milliseconds. */
const readEveryMs = 2_000;

/** Marks an open chat that is seen as read: the other side is told, now and whenever something comes. */
function useReading(conversation: Conversation): void {
  const client = useQueryClient();
  const may = useMay();
  const last = useRef(Number.NEGATIVE_INFINITY);
  const [isSeen, setSeen] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const changed = () => setSeen(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
  const { id, unreadCount } = conversation;
  const isDue = isSeen && unreadCount > 0 && may('message:send');
  useEffect(() => {
    if (!isDue) return undefined;
    const wait = Math.max(0, last.current + readEveryMs - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      new KeptConversations(client).take(() => ask('ReadConversation', { params: { id } })).catch(ignoreProblem);
    }, wait);
    return () => clearTimeout(timer);
  }, [isDue, id, unreadCount, client]);
}
