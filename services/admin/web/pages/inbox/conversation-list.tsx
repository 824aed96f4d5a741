import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { serverNow } from '../../api/clock.ts';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useLoadMore } from '../../kit/load-more.ts';
import { Empty, Loading, NotAllowed } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useSummary } from '../../messages/content.tsx';
import type { Conversations } from './conversations.ts';
import { titleOf, type Conversation } from '../../messages/shapes.ts';
import { texts } from './texts.ts';

const rowHeight = 68;
/** Rows that are there before they are seen, on each side. */
const beside = 4;
/** Rows that are loaded before they are seen. */
const ahead = 30;

interface Given {
  readonly conversations: Conversations;
  readonly isFiltered: boolean;
}

/** The list of conversations: endless, with the rows that are seen. Arrows move in it. */
export function ConversationList({ conversations, isFiltered }: Given) {
  const t = useTexts(texts);
  const scroller = useRef<HTMLDivElement>(null);
  const { items, total, problem, isLoading, loadMore, retry } = conversations;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: beside,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = items.length > 0 && items.length < total && last >= items.length - ahead;
  useLoadMore(isNearEnd, loadMore, items.length);
  if (problem?.status === 403 && problem.kind === 'refused') return <NotAllowed permission={problem.access ?? ''} />;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = (document.activeElement?.closest('li') as HTMLElement | null)?.dataset['index'];
    if (step === undefined || at === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(items.length - 1, Number(at) + step));
    virtual.scrollToIndex(next);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`li[data-index="${next}"] a`)?.focus());
  };
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto" onKeyDown={move}>
      {problem && (
        <div className="p-3">
          <ProblemAlert problem={problem} onRetry={retry} />
        </div>
      )}
      {isLoading && problem === undefined && (
        <div className="p-3">
          <Loading rows={6} />
        </div>
      )}
      {!isLoading && items.length === 0 && problem === undefined && (
        <div className="p-3">
          <Empty icon="inbox" title={t('none')}>
            {isFiltered ? t('noneFound') : t('noneText')}
          </Empty>
        </div>
      )}
      {items.length > 0 && (
        <ul aria-label={t('conversations')} className="relative" style={{ height: virtual.getTotalSize() }}>
          {rows.map(({ index, start, key }) => {
            const conversation = items[index];
            return (
              conversation && (
                <li
                  key={key}
                  data-index={index}
                  aria-setsize={total}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 top-0 h-17"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <ConversationLink conversation={conversation} />
                </li>
              )
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** Drawn anew only when the conversation has changed: a list that is scrolled draws the rows that come into view. */
const ConversationLink = memo(function ConversationLink({ conversation }: { readonly conversation: Conversation }) {
  const t = useTexts(texts);
  const summary = useSummary();
  const { unreadCount, lastMessage, lastMessageAt, pinned, muted } = conversation;
  const said = lastMessage === null ? '' : summary(lastMessage.content);
  return (
    <PageLink
      to={`/inbox/${conversation.id}`}
      className="flex h-full items-center gap-3 border-b border-line px-3 hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft"
    >
      <Face conversation={conversation} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        <span className="flex items-baseline gap-2">
          <bdi className={`min-w-0 flex-1 truncate ${unreadCount > 0 ? 'font-semibold' : 'font-medium'}`}>
            {titleOf(conversation)}
          </bdi>{' '}
          {lastMessageAt !== null && <When at={lastMessageAt} />}
        </span>
        <span className="flex items-center gap-2 text-muted">
          <span className="min-w-0 flex-1 truncate">
            {lastMessage?.direction === 'outgoing' ? t('you', { text: said }) : <bdi>{said}</bdi>}
          </span>{' '}
          {pinned && <Marked icon="pin" words={t('pinned')} />}
          {muted && <Marked icon="mute" words={t('muted')} />}
          {unreadCount > 0 && (
            <span className="rounded-full bg-accent px-2 text-xs leading-5 font-semibold text-on-accent">
              {t('unreadCount', { count: unreadCount })}
            </span>
          )}
        </span>
      </span>
    </PageLink>
  );
});

function Marked({ icon, words }: { readonly icon: 'pin' | 'mute'; readonly words: string }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span className="sr-only">{words}</span>
    </>
  );
}

/** Time of today, else the date. */
function When({ at }: { readonly at: string }) {
  const { time, date } = useFormats();
  const isToday = new Date(at).toDateString() === new Date(useMinute()).toDateString();
  return (
    <time dateTime={at} className="text-xs text-muted">
      {isToday ? time(at) : date(at)}
    </time>
  );
}

/** The present, as exact as a minute. */
function useMinute(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** In place of a picture. */
export function Face({ conversation }: { readonly conversation: Pick<Conversation, 'type'> }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-muted">
      <Icon name={conversation.type === 'group' ? 'groups' : 'account'} size={20} />
    </span>
  );
}
