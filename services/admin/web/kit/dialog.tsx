import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useTexts } from '../language/language.tsx';
import { IconButton } from './button.tsx';
import { texts } from './texts.ts';

interface Given {
  /** Heading and name of the dialog. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alertdialog`: asks before something is done. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly wide?: boolean;
}

const fields = 'input:not([type=hidden], [hidden]), select, textarea';

/**
 * A modal dialog, open as long as it is there. Its first field gets the focus, where it has none its cross. Escape and the cross close it; whoever
 * had the focus gets it back, or, where that is gone meanwhile, the page.
 */
export function Dialog({ title, onClose, children, role = 'dialog', wide = false }: Given) {
  const t = useTexts(texts);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    if (shown !== null && !shown.open) {
      shown.showModal();
      // React's `autoFocus` comes before a dialog is open, when nothing in it can have the focus.
      shown.querySelector<HTMLElement>(fields)?.focus();
    }
    return () => {
      shown?.close();
      const back = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector('#content');
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={heading}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-2xl border border-line bg-surface p-0 shadow-xl ${wide ? 'max-w-3xl' : 'max-w-lg'}`}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="grid gap-4 p-5">
        <div className="flex items-start justify-between gap-3">
          <h2 id={heading} className="pt-1 text-lg font-semibold">
            {title}
          </h2>
          <IconButton icon="close" label={t('close')} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
