import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useDeferredValue, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { serverNow } from '../../api/clock.ts';
import { Icon } from '../../kit/icon.tsx';
import { RowLink } from '../../kit/link.tsx';
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
  /** Id of the conversation that is shown beside the list. */
  readonly present: string | undefined;
}

/**
 * The list of conversations: endless, with the rows that are seen, below each other behind a padding in place of those before: a browser
 * works out what rows look like several times as fast where none has a style of its own. Arrows move in it.
 */
export function ConversationList({ conversations, isFiltered, present }: Given) {
  const t = useTexts(texts);
  const scroller = useRef<HTMLDivElement>(null);
  const { items, total, problem, loadMore, retry } = conversations;
  // The first rows appear as a transition, which is drawn in pieces.
  const isLoading = useDeferredValue(conversations.isLoading) || conversations.isLoading;
  const today = useToday();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: beside,
    // One function as long as the rows are the same: with another one all of them are measured anew.
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
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
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]" onKeyDown={move}>
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
      {!isLoading && items.length > 0 && (
        <ul
          aria-label={t('conversations')}
          style={{ height: virtual.getTotalSize(), paddingBlockStart: rows[0]?.start ?? 0 }}
        >
          {rows.map(({ index, key }) => {
            const conversation = items[index];
            return (
              conversation && (
                <li key={key} data-index={index} aria-setsize={total} aria-posinset={index + 1} className="h-17">
                  <ConversationLink conversation={conversation} isPresent={conversation.id === present} today={today} />
                </li>
              )
            );
          })}
        </ul>
      )}
    </div>
  );
}

interface LinkGiven {
  readonly conversation: Conversation;
  readonly isPresent: boolean;
  /** As `dayOf` writes it. */
  readonly today: string;
}

/** Drawn anew only when the conversation has changed: a list that is scrolled draws the rows that come into view. */
const ConversationLink = memo(function ConversationLink({ conversation, isPresent, today }: LinkGiven) {
  const t = useTexts(texts);
  const summary = useSummary();
  const { unreadCount, lastMessage, lastMessageAt, pinned, muted } = conversation;
  const said = lastMessage === null ? '' : summary(lastMessage.content);
  return (
    <RowLink
      to={`/inbox/${conversation.id}`}
      isPresent={isPresent}
      className="flex h-full items-center gap-3 border-b border-line px-3 hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft"
    >
      <Face conversation={conversation} />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        <span className="flex items-baseline gap-2">
          <bdi className={`min-w-0 flex-1 truncate ${unreadCount > 0 ? 'font-semibold' : 'font-medium'}`}>
            {titleOf(conversation)}
          </bdi>{' '}
          {lastMessageAt !== null && <When at={lastMessageAt} today={today} />}
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
    </RowLink>
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
function When({ at, today }: { readonly at: string; readonly today: string }) {
  const { time, date } = useFormats();
  return (
    <time dateTime={at} className="text-xs text-muted">
      {dayOf(at) === today ? time(at) : date(at)}
    </time>
  );
}

const dayOf = (when: string | number): string => new Date(when).toDateString();

/** The day that it is, looked up each minute. */
function useToday(): string {
  const [today, setToday] = useState(() => dayOf(serverNow()));
  useEffect(() => {
    const timer = setInterval(() => setToday(dayOf(serverNow())), 60_000);
    return () => clearInterval(timer);
  }, []);
  return today;
}

/** In place of a picture. */
export function Face({ conversation }: { readonly conversation: Pick<Conversation, 'type'> }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-muted">
      <Icon name={conversation.type === 'group' ? 'groups' : 'account'} size={20} />
    </span>
  );
}
