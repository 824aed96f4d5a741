import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { Icon } from '../kit/icon.tsx';
import { useTexts } from '../language/language.tsx';
import { addressOf } from './page-list.ts';
import { pageNames, texts } from './texts.ts';
import type { LinkedPage } from './visible-pages.ts';

interface Given {
  readonly pages: readonly LinkedPage[];
  readonly onClose: () => void;
}

/** Goes to a page by some letters of its name. */
export function Palette({ pages, onClose }: Given) {
  const t = useTexts(texts);
  const names = useTexts(pageNames);
  const navigate = useNavigate();
  const id = useId();
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = pages.filter(({ link }) => names(link.name).toLowerCase().includes(sought.trim().toLowerCase()));
  const at = Math.min(chosen, found.length - 1);
  const go = (page: LinkedPage | undefined) => {
    if (page === undefined) return;
    onClose();
    void navigate({ to: addressOf(page) });
  };
  const move = (event: KeyboardEvent) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Enter') go(found[at]);
    if (next === undefined || found.length === 0) return;
    event.preventDefault();
    setChosen((next + found.length) % found.length);
  };
  return (
    <Dialog title={t('goTo')} onClose={onClose}>
      <input
        autoFocus
        className="input"
        role="combobox"
        aria-label={t('find')}
        placeholder={t('find')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        value={sought}
        onChange={(event) => {
          setSought(event.target.value);
          setChosen(0);
        }}
        onKeyDown={move}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t('goTo')} className="max-h-80 overflow-auto">
        {found.map((page, index) => (
          <li
            key={page.path}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-lg px-3 aria-selected:bg-accent-soft aria-selected:text-accent"
            onMouseEnter={() => setChosen(index)}
            onClick={() => go(page)}
          >
            <Icon name={page.link.icon} />
            {names(page.link.name)}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-muted">{t('nothing')}</p>}
    </Dialog>
  );
}
