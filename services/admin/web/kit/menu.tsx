import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button, IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

interface Given {
  /** Name of the button that opens it. */
  readonly label: string;
  readonly icon?: IconName;
  /** Shown in the button; default: a drawing only. */
  readonly children?: ReactNode;
  readonly items: readonly (MenuItem | false | undefined)[];
  readonly className?: string;
  /** Above its items, for example who is signed in. */
  readonly heading?: ReactNode;
}

/** A button that opens a menu: arrows, Home and End move in it, Escape and Tab leave it, the focus goes back to the button. */
export function Menu({ label, icon = 'more', children, items, className, heading }: Given) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const shown = items.filter((item) => item !== false && item !== undefined);
  const [isOpen, setOpen] = useState(false);
  if (shown.length === 0) return null;
  const entries = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]') ?? [])];
  const close = () => menu.current?.hidePopover();
  const move = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') close();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  const opened = () => {
    if (menu.current === null || button.current === null) return;
    place(menu.current, button.current);
    entries()[0]?.focus();
  };
  const opener = { ref: button, 'aria-haspopup': 'menu' as const, popoverTarget: id };
  return (
    <>
      {children === undefined ? (
        <IconButton {...opener} icon={icon} label={label} className={className ?? ''} />
      ) : (
        <Button {...opener} kind="quiet" aria-label={label} className={className ?? ''}>
          {children}
        </Button>
      )}
      <div
        ref={menu}
        id={id}
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={({ newState }) => newState === 'open' && opened()}
        className="fixed m-0 max-h-80 min-w-44 overflow-auto rounded-xl border border-line bg-surface p-1 shadow-lg"
      >
        {isOpen && heading}
        {isOpen && (
          <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={move}>
            {shown.map(({ label: words, icon: drawing, danger = false, onSelect }) => (
              <button
                key={words}
                type="button"
                role="menuitem"
                tabIndex={-1}
                className={`flex min-h-9 w-full cursor-pointer items-center gap-2 rounded-lg px-3 py-1.5 text-start hover:bg-sunken focus-visible:bg-sunken ${danger ? 'text-danger' : ''}`}
                onClick={() => {
                  close();
                  button.current?.focus();
                  onSelect();
                }}
              >
                {drawing && <Icon name={drawing} />}
                {words}
              </button>
            ))}
          </div>
        )}
      </div>
    </>
  );
}

/** Below the button, at its end; above it where there is no room below. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isRtl = document.documentElement.dir === 'rtl';
  const left = isRtl ? at.left : at.right - width;
  const below = at.bottom + 4;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${below + height > innerHeight && at.top > height ? at.top - height - 4 : below}px`;
}
