import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { useLoadMore } from '../../kit/load-more.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { MessageArticle, OutgoingArticle, type MessageActions } from './article.tsx';
import type { Chat } from './messages.ts';
import type { Outgoing } from './outgoing.ts';
import type { Message } from '../../messages/shapes.ts';
import { logTexts } from './texts.ts';

/** One thing in the log, the newest first. */
type Row =
  | { readonly kind: 'outgoing'; readonly key: string; readonly outgoing: Outgoing }
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'older'; readonly key: string };

function rowsOf(outgoing: readonly Outgoing[], messages: readonly Message[], withOlder: boolean): readonly Row[] {
  const rows: Row[] = outgoing.toReversed().map((one) => ({ kind: 'outgoing', key: one.id, outgoing: one }));
  messages.forEach((message, index) => {
    rows.push({ kind: 'message', key: message.id, message });
    const next = messages[index + 1];
    if (next === undefined || dayOf(next) !== dayOf(message))
      rows.push({ kind: 'day', key: `day ${message.id}`, at: message.timestamp });
  });
  if (withOlder) rows.push({ kind: 'older', key: 'older' });
  return rows;
}

const days = new WeakMap<Message, string>();

/** The day of a message where the reader is, worked out once: there may be tens of thousands of them in a chat. */
function dayOf(message: Message): string {
  const day = days.get(message) ?? new Date(message.timestamp).toDateString();
  days.set(message, day);
  return day;
}

/** Rows that are there before they are seen, on each side. */
const beside = 4;
/** Rows that are loaded before they are seen. */
const ahead = 30;

interface Given {
  readonly chat: Chat;
  readonly outgoing: readonly Outgoing[];
  readonly messages: readonly Message[];
  readonly authorOf: (message: Message) => string | undefined;
  readonly actions: MessageActions;
}

/**
 * The messages of a chat, the newest at the bottom, where it begins. The element scrolls from its end (`column-reverse`), so that
 * nothing moves when older ones are loaded above; only what is seen is there.
 */
export function Log({ chat, outgoing, messages, authorOf, actions }: Given) {
  const t = useTexts(logTexts);
  const { day } = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(outgoing, messages, !chat.isLoading), [outgoing, messages, chat.isLoading]);
  const byId = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    overscan: beside,
    // One function as long as the rows are the same: with another one all of them are placed anew.
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    observeElementOffset: observeFromEnd,
    scrollToFn: (offset, { adjustments = 0 }, { scrollElement }) => {
      if (scrollElement instanceof HTMLElement) scrollElement.scrollTop = -(offset + adjustments);
    },
  });
  const items = virtual.getVirtualItems();
  useStaying(virtual, rows, scroller);
  const lastSeen = items.at(-1)?.index ?? 0;
  const isNearOldest =
    chat.hasMore && !chat.isLoadingMore && chat.problem === undefined && lastSeen >= rows.length - ahead;
  useLoadMore(isNearOldest, chat.loadMore);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={t('messages')}
        tabIndex={0}
        className="flex size-full flex-col-reverse overflow-x-hidden overflow-y-auto"
      >
        <div className="relative w-full shrink-0" style={{ height: virtual.getTotalSize() }}>
          {items.toReversed().map(({ index, start, key }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className="absolute inset-x-0"
                  style={{ bottom: start }}
                >
                  {row.kind === 'message' && (
                    <MessageArticle
                      message={row.message}
                      author={authorOf(row.message)}
                      quoted={byId.get(row.message.quotedMessageId ?? '')}
                      actions={actions}
                    />
                  )}
                  {row.kind === 'outgoing' && <OutgoingArticle outgoing={row.outgoing} />}
                  {row.kind === 'day' && (
                    <p className="py-3 text-center text-xs font-medium text-muted">{day(row.at)}</p>
                  )}
                  {row.kind === 'older' && <Older chat={chat} />}
                </div>
              )
            );
          })}
        </div>
      </div>
      <ToNewest scroller={scroller} />
    </div>
  );
}

function observeFromEnd(
  instance: Virtualizer<HTMLDivElement, Element>,
  told: (offset: number, isScrolling: boolean) => void,
): (() => void) | undefined {
  const element = instance.scrollElement;
  if (element === null) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scrolled = () => {
    told(Math.abs(element.scrollTop), true);
    clearTimeout(timer);
    timer = setTimeout(() => told(Math.abs(element.scrollTop), false), 150);
  };
  told(Math.abs(element.scrollTop), false);
  element.addEventListener('scroll', scrolled, { passive: true });
  return () => {
    clearTimeout(timer);
    element.removeEventListener('scroll', scrolled);
  };
}

/** Keeps the place of a reader further up when something new comes below, and keeps one at the bottom there. */
function useStaying(
  virtual: Virtualizer<HTMLDivElement, Element>,
  rows: readonly Row[],
  scroller: React.RefObject<HTMLDivElement | null>,
): void {
  const newest = rows[0]?.key;
  const before = useRef(newest);
  const stay = useEffectEvent(() => {
    const element = scroller.current;
    const wasNewest = before.current;
    before.current = newest;
    if (element === null || wasNewest === undefined || wasNewest === newest) return;
    if (Math.abs(element.scrollTop) < 80) {
      element.scrollTo({ top: 0 });
      return;
    }
    const at = rows.findIndex(({ key }) => key === wasNewest);
    const added = virtual.measurementsCache[at]?.start ?? 0;
    if (at > 0) element.scrollBy({ top: -added });
  });
  useLayoutEffect(() => stay(), [newest]);
}

/** Above the oldest message: more of what is stored, then what the phone has. */
function Older({ chat }: { readonly chat: Chat }) {
  const t = useTexts(logTexts);
  const say = useSay();
  const load = async () => {
    if (chat.hasMore) return chat.loadMore();
    const loaded = await chat.loadFromPhone();
    if (loaded) say(loaded.fetched === 0 ? t('noOlder') : t('fetched', { count: loaded.fetched }));
  };
  return (
    <div className="grid justify-items-center gap-3 p-4">
      {chat.problem && <ProblemAlert problem={chat.problem} onRetry={chat.retry} />}
      <Button icon="up" busy={chat.isLoadingMore} onClick={() => void load()}>
        {t('older')}
      </Button>
    </div>
  );
}

/** Back to the bottom, for who has scrolled far up. */
function ToNewest({ scroller }: { readonly scroller: React.RefObject<HTMLDivElement | null> }) {
  const t = useTexts(logTexts);
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    const scrolled = () => setFar(Math.abs(element?.scrollTop ?? 0) > 600);
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, [scroller]);
  if (!isFar) return null;
  return (
    <Button
      icon="down"
      className="absolute end-4 bottom-3 shadow-md"
      onClick={() => {
        scroller.current?.scrollTo({ top: 0 });
      }}
    >
      {t('toNewest')}
    </Button>
  );
}
