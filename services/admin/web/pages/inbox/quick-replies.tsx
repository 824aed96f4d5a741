import { useState, type KeyboardEvent } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { composerTexts } from './texts.ts';

type QuickReply = AnswerOf<'ListQuickReplies'>['items'][number];

interface Quick {
  readonly found: readonly QuickReply[];
  readonly at: number;
  readonly choose: (reply: QuickReply) => void;
  /** @returns whether the key was meant for them */
  readonly pressed: (event: KeyboardEvent) => boolean;
}

const mostShown = 6;

/** Texts that are kept for writing them often: they are offered when a message begins with a slash or their shortcut. */
export function useQuickReplies(profileId: string, text: string, write: (text: string) => void): Quick {
  const may = useMay();
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState('');
  const isAsked = text.startsWith('/') && !/\s/.test(text) && text !== dismissed;
  const { data } = useAsk(
    'ListQuickReplies',
    { query: { limit: 200, profileId } },
    { when: isAsked && may('automation:read') },
  );
  const sought = text.slice(1).toLowerCase();
  const found = isAsked
    ? (data?.items ?? [])
        .filter(({ shortcut, title }) => `${shortcut} ${title}`.toLowerCase().includes(sought))
        .slice(0, mostShown)
    : [];
  const at = Math.min(chosen, found.length - 1);
  const choose = ({ message }: QuickReply) => {
    setChosen(0);
    write(message);
  };
  const pressed = (event: KeyboardEvent): boolean => {
    const reply = found[at];
    if (reply === undefined) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      setChosen((at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(reply);
    else if (event.key === 'Escape') setDismissed(text);
    else return false;
    event.preventDefault();
    return true;
  };
  return { found, at, choose, pressed };
}

/** The texts that fit, above the composer. */
export function QuickReplies({ found, at, choose }: Quick) {
  const t = useTexts(composerTexts);
  if (found.length === 0) return null;
  return (
    <ul role="listbox" aria-label={t('quickReplies')} className="rounded-lg border border-line p-1">
      {found.map((reply, index) => (
        <li
          key={reply.id}
          role="option"
          aria-selected={index === at}
          className="flex cursor-pointer gap-3 rounded-md px-2 py-1 aria-selected:bg-accent-soft"
          onClick={() => choose(reply)}
        >
          <span className="font-mono">{reply.shortcut}</span>
          <span className="font-medium">{reply.title}</span>
          <span className="min-w-0 flex-1 truncate text-muted">{reply.message}</span>
        </li>
      ))}
    </ul>
  );
}
