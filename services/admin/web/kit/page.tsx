import { createContext, use, useEffect, type ReactNode } from 'react';
import { isolated } from '../language/isolated.ts';
import { useTexts } from '../language/language.tsx';
import { Icon, type IconName } from './icon.tsx';
import { texts } from './texts.ts';

/** The name of the page in the title of its window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${isolated(title)} · Messaging Gateway`;
  }, [title]);
}

/** Whether there is a level-1 heading already: what is said of a part goes below it. */
const Headed = createContext(false);

/** Parts of what has a level-1 heading of its own. `Page` is around its parts already. */
export function Parts({ children }: { readonly children: ReactNode }) {
  return <Headed value>{children}</Headed>;
}

interface Given {
  /** Level-1 heading of the page; the window's title begins with it. */
  readonly title: string;
  /** Beside the heading: what can be done here. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** A link back to where this thing stands in a list. */
  readonly above?: ReactNode;
}

/** A page below the navigation. */
export function Page({ title, actions, above, children }: Given) {
  useTitle(title);
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-5 p-4 sm:p-6">
      <div className="grid gap-1">
        {above && <p>{above}</p>}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight">{title}</h1>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      </div>
      <Parts>{children}</Parts>
    </div>
  );
}

interface EmptyGiven {
  readonly icon: IconName;
  /** Begins with "No ". */
  readonly title: string;
  /** Advice on what to do about it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Where there is nothing yet: what is missing and what to do. */
export function Empty({ icon, title, children, action }: EmptyGiven) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed border-edge px-6 py-12 text-center">
      <span className="rounded-full bg-accent-soft p-3 text-accent">
        <Icon name={icon} size={24} />
      </span>
      <h2 className="text-base font-semibold">{title}</h2>
      {children && <div className="max-w-md text-muted">{children}</div>}
      {action}
    </div>
  );
}

/** In place of a page, or of a part of one, which keeps its heading. */
function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const t = useTexts(texts);
  const said = (
    <>
      {children}
      <p>
        <a className="link" href="/">
          {t('toOverview')}
        </a>
      </p>
    </>
  );
  if (!use(Headed)) return <Page title={title}>{said}</Page>;
  return (
    <div className="grid gap-3 p-3">
      <h2 className="text-base font-semibold">{title}</h2>
      {said}
    </div>
  );
}

/** Notice that there is no such page, or no such thing for who asks. */
export function NotFound() {
  const t = useTexts(texts);
  return (
    <Notice title={t('notFound')}>
      <p className="text-muted">{t('notFoundText')}</p>
    </Notice>
  );
}

/** The role of who asks does not allow this. */
export function NotAllowed({ permission }: { readonly permission: string }) {
  const t = useTexts(texts);
  return (
    <Notice title={t('notAllowed')}>
      <p className="text-muted">{t('notAllowedText')}</p>
      <p>{t('needs', { permission })}</p>
    </Notice>
  );
}

/** Quiet blocks in the place of content that is on its way. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const t = useTexts(texts);
  return (
    <div aria-busy="true" className="grid gap-3">
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="quiet-block h-10" />
      ))}
    </div>
  );
}
