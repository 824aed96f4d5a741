import type { ChatUpdate, WASocket } from '@whiskeysockets/baileys';
import type { DataOf, SessionChatMarked } from '@messaging-gateway/contracts';
import type { Fact } from '../../engine.ts';
import { person } from '../wire-format/addresses.ts';
import type { Inbound } from './inbound.ts';
import type { Receiver } from './incoming-facts.ts';

type Mark = Pick<DataOf<typeof SessionChatMarked>, 'mark' | 'until'>;

/** Takes the marks of chats in the account's state: read, unread, archived, pinned, muted. */
export function takeMarks({ ev }: WASocket, inbound: Inbound): void {
  const emit = ev.emit.bind(ev);
  // Read before the library merges updates of one chat.
  ev.emit = (event, data) => {
    if (event === 'chats.update') take(data as readonly ChatUpdate[], inbound);
    return emit(event, data);
  };
}

function take(updates: readonly ChatUpdate[], inbound: Inbound): void {
  const receiver = inbound.receiver();
  const marked = updates.flatMap((update) => {
    const marks = marksOf(update);
    return marks.length === 0 ? [] : [() => markFacts(update.id ?? '', marks, receiver)];
  });
  if (marked.length > 0) void inbound.marked(marked);
}

async function markFacts(
  chatId: string,
  marks: readonly Mark[],
  { state, data: { profileId } }: Receiver,
): Promise<Fact[]> {
  const chat = chatId.endsWith('@g.us') ? { jid: chatId } : await person(chatId, undefined, state);
  if (chat === undefined) return [];
  const at = new Date().toISOString();
  return marks.map((mark) => ({ kind: 'chat-marked', data: { profileId, chat, ...mark, at } }));
}

/**
 * The marks of an update. None in what the library derives from a message (`conversationTimestamp`, `readOnly`), and none in the
 * state that it reads after linking (`conditional`): the gateway does not have those chats yet.
 */
function marksOf(update: ChatUpdate): readonly Mark[] {
  const { conditional, conversationTimestamp, readOnly, unreadCount, archived, pinned, muteEndTime } = update;
  if ([conditional, conversationTimestamp, readOnly].some((field) => field !== undefined)) return [];
  return [
    ...(unreadCount === 0 ? [{ mark: 'read' } as const] : []),
    ...(unreadCount === -1 ? [{ mark: 'unread' } as const] : []),
    ...(typeof archived === 'boolean' ? [{ mark: archived ? 'archived' : 'unarchived' } as const] : []),
    ...(pinned === undefined ? [] : [{ mark: pinned === null ? 'unpinned' : 'pinned' } as const]),
    ...(muteEndTime === undefined ? [] : [muteOf(Number(muteEndTime))]),
  ];
}

/** The latest moment that a date can have, milliseconds since 1970. */
const latestMs = 8.64e15;

/** @param endMs milliseconds since 1970; 0: not muted, -1: permanently */
function muteOf(endMs: number): Mark {
  if (endMs === 0) return { mark: 'unmuted' };
  return endMs > 0 && endMs <= latestMs ? { mark: 'muted', until: new Date(endMs).toISOString() } : { mark: 'muted' };
}
