import { useLocation } from '@tanstack/react-router';
import { Icon } from '../kit/icon.tsx';
import { PageLink } from '../kit/link.tsx';
import { useTexts } from '../language/language.tsx';
import { addressOf } from './page-list.ts';
import { groupNames, pageNames, texts } from './texts.ts';
import type { LinkedPage } from './visible-pages.ts';

interface Given {
  readonly pages: readonly LinkedPage[];
  /** On small screens: shown over the page. */
  readonly isOpen: boolean;
  readonly onLeave: () => void;
}

/** Links to all pages, in groups. Below 768 px it is there only while it is open. */
export function Navigation({ pages, isOpen, onLeave }: Given) {
  const t = useTexts(texts);
  const names = useTexts(pageNames);
  const groups = useTexts(groupNames);
  const inUse = (Object.keys(groupNames) as (keyof typeof groupNames)[]).filter((group) =>
    pages.some((page) => page.link.group === group),
  );
  const { pathname } = useLocation();
  const present = presentOf(pages, pathname);
  return (
    <nav
      id="navigation"
      aria-label={t('main')}
      className={`${isOpen ? 'max-md:fixed max-md:inset-x-0 max-md:top-14 max-md:bottom-0 max-md:z-40' : 'max-md:hidden'} overflow-y-auto border-e border-line bg-surface p-3 md:sticky md:top-0 md:h-dvh md:w-60 md:shrink-0`}
    >
      <p className="hidden items-center gap-2 px-3 py-2 font-semibold md:flex">
        <img src="/icon.svg" alt="" width="24" height="24" />
        Messaging Gateway
      </p>
      {inUse.map((group) => (
        <div key={group} className="mt-3">
          <p className="px-3 py-1 text-xs font-semibold text-muted">{groups(group)}</p>
          <ul>
            {pages
              .filter((page) => page.link.group === group)
              .map((page) => (
                <li key={page.path} onClick={onLeave}>
                  <PageLink
                    to={addressOf(page)}
                    isAbove={page === present}
                    className="flex min-h-9 items-center gap-3 rounded-lg px-3 hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
                  >
                    <Icon name={page.link.icon} />
                    {names(page.link.name)}
                  </PageLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The page whose address leads furthest to this one: that of a thing's page is its list. */
function presentOf(pages: readonly LinkedPage[], pathname: string): LinkedPage | undefined {
  const above = pages.filter((page) => page.path !== '/' && `${pathname}/`.startsWith(`${addressOf(page)}/`));
  return above.toSorted((one, other) => addressOf(other).length - addressOf(one).length)[0];
}
