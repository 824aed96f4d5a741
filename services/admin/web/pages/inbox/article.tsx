import { memo, useState, type ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Menu, type MenuItem } from '../../kit/menu.tsx';
import { useSentence } from '../../kit/problem-alert.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { ContentView, useSummary } from '../../messages/content.tsx';
import { useAids } from './aids.tsx';
import { wordsOf } from './suggestion.ts';
import type { Outgoing } from './outgoing.ts';
import { outbox } from './outbox.ts';
import type { Message } from '../../messages/shapes.ts';
import { useFailureWords } from '../../messages/state.tsx';
import { stateWords } from '../../messages/texts.ts';
import { logTexts } from './texts.ts';

type StateWord = keyof typeof stateWords;

interface BubbleGiven {
  readonly isOwn: boolean;
  readonly children: ReactNode;
  readonly label?: string | undefined;
  readonly place?: { readonly at: number; readonly of: number };
}

/** Around a message: its side and its colour. */
function Bubble({ isOwn, children }: BubbleGiven) {
  return (
    <article className={`flex px-3 py-1 ${isOwn ? 'justify-end' : 'justify-start'}`}>
      <div
        className={`grid max-w-[min(85%,36rem)] min-w-32 grid-cols-[minmax(0,1fr)] gap-1 rounded-2xl px-3 py-2 ${isOwn ? 'rounded-ee-md bg-accent-soft' : 'rounded-es-md border border-line bg-surface'}`}
      >
        {children}
      </div>
    </article>
  );
}

interface MessageGiven {
  readonly message: Message;
  /** Name of who wrote it, in a group. */
  readonly author: string | undefined;
  /** The message that it answers, where it is loaded. */
  readonly quoted: Message | undefined;
  readonly actions: MessageActions;
}

export interface MessageActions {
  readonly onReply: (message: Message) => void;
  readonly onReact: (message: Message, emoji: string) => void;
  readonly onDelete: (message: Message, operation: 'DeleteForEveryone' | 'DeleteMessage') => void;
  readonly onRetry: (message: Message) => void;
}

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏', '🎉', '✅'];

/** A stored message. The word of its state is the last one in it. Drawn anew only when something of it has changed. */
export const MessageArticle = memo(function MessageArticle({ message, author, quoted, actions }: MessageGiven) {
  const t = useTexts(logTexts);
  const { time } = useFormats();
  const [isReacting, setReacting] = useState(false);
  const { direction, content, status, error } = message;
  const isOwn = direction === 'outgoing';
  const aids = useAids(message);
  return (
    <Bubble isOwn={isOwn}>
      <div className="flex items-start gap-1">
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
          {author !== undefined && (
            <p dir="auto" className="text-xs font-semibold text-accent">
              {author}
            </p>
          )}
          {'forwarded' in content && content.forwarded === true && (
            <p className="text-xs text-muted italic">{t('forwarded')}</p>
          )}
          {message.quotedMessageId !== null && <Quote message={quoted} />}
          <ContentView content={content} votes={message.votes} />
        </div>
        <ArticleMenu message={message} actions={actions} aids={aids.items} onReact={() => setReacting(!isReacting)} />
      </div>
      {aids.shown}
      {isReacting && (
        <Reacting
          own={message.reactions?.find(({ fromMe }) => fromMe)?.emoji}
          onEmoji={(emoji) => {
            setReacting(false);
            actions.onReact(message, emoji);
          }}
        />
      )}
      <Reactions reactions={message.reactions ?? []} />
      {status === 'failed' && (
        <Failed code={error?.code} sentence={error?.message} onRetry={() => actions.onRetry(message)} />
      )}
      <p className="flex justify-end gap-2 text-xs text-muted">
        {message.editedAt !== undefined && <span>{t('edited')}</span>}
        <time dateTime={message.timestamp}>{time(message.timestamp)}</time>
        {(isOwn || content.type === 'deleted') && (
          <StateOf word={content.type === 'deleted' || status === 'received' ? 'deleted' : status} />
        )}
      </p>
    </Bubble>
  );
});

function StateOf({ word }: { readonly word: StateWord }) {
  const words = useTexts(stateWords);
  const colour =
    { failed: 'text-danger', unknown: 'text-warn', read: 'text-accent', played: 'text-accent' }[word as string] ?? '';
  return <span className={`font-medium ${colour}`}>{words(word)}</span>;
}

/** A message on its way, or one that could not leave. */
export function OutgoingArticle({ outgoing }: { readonly outgoing: Outgoing }) {
  const { time } = useFormats();
  const sentence = useSentence();
  const { id, content, problem, state, startedAt } = outgoing;
  return (
    <Bubble isOwn>
      <ContentView content={content} />
      {state === 'failed' && problem && (
        <Failed
          code={problem.code}
          sentence={sentence(problem)}
          problem={problem}
          onRetry={() => void outbox.tryAgain(id)}
          onDiscard={() => outbox.drop(id)}
        />
      )}
      <p className="flex justify-end gap-2 text-xs text-muted">
        <time>{time(startedAt)}</time>
        <StateOf word={state === 'failed' ? 'failed' : 'sending'} />
      </p>
    </Bubble>
  );
}

interface FailedGiven {
  readonly code: string | undefined;
  readonly sentence: string | undefined;
  readonly problem?: Problem;
  readonly onRetry: () => void;
  readonly onDiscard?: () => void;
}

/** Why, in words, and what can be done. */
function Failed({ code = '', sentence, problem, onRetry, onDiscard }: FailedGiven) {
  const t = useTexts(logTexts);
  const words = useFailureWords()(code);
  const may = useMay();
  return (
    <div className="grid gap-1 text-danger">
      <p>{words ?? sentence}</p>
      {words !== undefined && sentence !== undefined && sentence !== '' && <p className="text-xs">{sentence}</p>}
      {problem?.requestId !== undefined && <p className="font-mono text-xs">{problem.requestId}</p>}
      {may('message:send') && (
        <div className="flex flex-wrap gap-2">
          <Button icon="refresh" onClick={onRetry}>
            {t('tryAgain')}
          </Button>
          {onDiscard && (
            <Button kind="quiet" onClick={onDiscard}>
              {t('discard')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Quote({ message }: { readonly message: Message | undefined }) {
  const t = useTexts(logTexts);
  const summary = useSummary();
  return (
    <blockquote
      aria-label={t('quoted')}
      className="rounded-md border-s-4 border-accent bg-sunken px-2 py-1 text-xs text-muted"
    >
      {message?.direction === 'outgoing' && <p className="font-semibold">{t('you')}</p>}
      <p dir="auto" className="line-clamp-3">
        {message === undefined ? t('gone') : summary(message.content)}
      </p>
    </blockquote>
  );
}

function Reacting({ own, onEmoji }: { readonly own: string | undefined; readonly onEmoji: (emoji: string) => void }) {
  const t = useTexts(logTexts);
  return (
    <div role="group" aria-label={t('react')} className="flex flex-wrap gap-1">
      {emojis.map((emoji, index) => (
        <button
          key={emoji}
          type="button"
          autoFocus={index === 0}
          aria-pressed={emoji === own}
          className="size-9 cursor-pointer rounded-lg text-lg hover:bg-sunken aria-pressed:bg-sunken"
          onClick={() => onEmoji(emoji === own ? '' : emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}

function Reactions({ reactions }: { readonly reactions: NonNullable<Message['reactions']> }) {
  const t = useTexts(logTexts);
  if (reactions.length === 0) return null;
  const counted = new Map<string, number>();
  for (const { emoji } of reactions) counted.set(emoji, (counted.get(emoji) ?? 0) + 1);
  return (
    <p className="flex gap-1 text-sm">
      <span className="sr-only">{t('reactions')}</span>
      {[...counted].map(([emoji, count]) => (
        <span key={emoji} className="rounded-full border border-line bg-surface px-2">
          {emoji}
          {count > 1 && ` ${count}`}
        </span>
      ))}
    </p>
  );
}

interface ArticleMenuGiven {
  readonly message: Message;
  readonly actions: MessageActions;
  readonly aids: readonly (MenuItem | false)[];
  readonly onReact: () => void;
}

function ArticleMenu({ message, actions, aids, onReact }: ArticleMenuGiven) {
  const t = useTexts(logTexts);
  const may = useMay();
  const { content, direction, networkMessageId, status } = message;
  const isThere = networkMessageId !== null && content.type !== 'deleted' && status !== 'failed';
  const written = wordsOf(message);
  const items: (MenuItem | false)[] = [
    isThere && may('message:send') && { label: t('reply'), icon: 'reply', onSelect: () => actions.onReply(message) },
    isThere && may('message:send') && { label: t('react'), icon: 'smile', onSelect: onReact },
    written !== undefined &&
      'clipboard' in navigator && {
        label: t('copy'),
        icon: 'copy',
        onSelect: () => void navigator.clipboard.writeText(written),
      },
    ...aids,
    isThere &&
      direction === 'outgoing' &&
      may('message:send') && {
        label: t('deleteForEveryone'),
        icon: 'ban',
        danger: true,
        onSelect: () => actions.onDelete(message, 'DeleteForEveryone'),
      },
    may('message:delete') && {
      label: t('deleteHere'),
      icon: 'trash',
      danger: true,
      onSelect: () => actions.onDelete(message, 'DeleteMessage'),
    },
  ];
  return (
    <Menu label={t('actions')} icon="down" items={items} className="-me-1 -mt-1 min-h-7 min-w-7 px-0 py-0 text-muted" />
  );
}
