import { Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { ask } from '../api/client.ts';
import { apiAddress } from '../api/sending.ts';
import { useAsk } from '../api/asking.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { useKey } from '../kit/keys.ts';
import { Menu } from '../kit/menu.tsx';
import { Loading, NotAllowed } from '../kit/page.tsx';
import { ProblemAlert } from '../kit/problem-alert.tsx';
import { useWide } from '../kit/wide.ts';
import { useTexts } from '../language/language.tsx';
import { Live, useLiveState, type LiveState } from '../live/live.tsx';
import { leaveBrowser } from '../push/leaving.ts';
import { SignedInAs, useMe, whoIsSignedIn, type Me } from '../session/me.tsx';
import { tellSignedOut } from '../session/session.ts';
import { Bell } from './bell.tsx';
import { DemoBanner } from './demo.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { texts } from './texts.ts';
import { visiblePages } from './visible-pages.ts';

/** Around the pages of who is signed in. Who is not goes to sign in, and comes back. */
export function Shell() {
  const { data, problem, retry } = useAsk('GetMe', {}, whoIsSignedIn);
  // The frame and its page are much at once: drawn in pieces, what somebody does meanwhile comes in between.
  const me = useDeferredValue(data ?? null, null);
  const { pathname, searchStr } = useLocation();
  if (me !== null)
    return (
      <SignedInAs value={me}>
        <Live>
          <Frame me={me} />
        </Live>
      </SignedInAs>
    );
  if (problem?.status === 401) return <Navigate to="/sign-in" search={{ next: `${pathname}${searchStr}` }} replace />;
  return (
    <main className="mx-auto w-full max-w-3xl p-8">
      {problem ? <ProblemAlert problem={problem} onRetry={retry} /> : <Loading />}
    </main>
  );
}

function Frame({ me }: { readonly me: Me }) {
  const t = useTexts(texts);
  const [isNavigating, setNavigating] = useState(false);
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  const isWide = useWide();
  const pages = visiblePages(me);
  useKey('k', () => setOpen('palette'), { command: true });
  useKey('?', () => setOpen('shortcuts'));
  useKey('Escape', () => setNavigating(false));
  return (
    <div className="md:flex">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent p-3 text-on-accent focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      >
        {t('skip')}
      </a>
      {(isWide || isNavigating) && (
        <Navigation pages={pages} isOpen={isNavigating} onLeave={() => setNavigating(false)} />
      )}
      <div className="flex min-h-dvh min-w-0 flex-1 flex-col">
        <DemoBanner />
        <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-3">
          <IconButton
            icon="menu"
            label={t('menu')}
            className="md:hidden"
            aria-expanded={isNavigating}
            aria-controls="navigation"
            onClick={() => setNavigating(!isNavigating)}
          />
          <Button icon="search" className="text-muted" title={t('goTo')} onClick={() => setOpen('palette')}>
            <span className="max-sm:sr-only">{t('goTo')}</span>
            <kbd aria-hidden="true" className="font-mono text-xs max-sm:hidden">
              Ctrl K
            </kbd>
          </Button>
          <span className="flex-1" />
          <LiveStatus />
          <Bell />
          <AccountMenu />
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Allowed me={me} />
        </main>
      </div>
      {open === 'palette' && <Palette pages={pages} onClose={() => setOpen(undefined)} />}
      {open === 'shortcuts' && <Shortcuts onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/** The page, where the role allows it. */
function Allowed({ me }: { readonly me: Me }) {
  const permission = useMatches().at(-1)?.staticData.permission;
  if (permission !== undefined && !me.permissions.includes(permission)) return <NotAllowed permission={permission} />;
  return <Outlet />;
}

const looks: Readonly<Record<LiveState, string>> = {
  live: 'badge badge-ok',
  reconnecting: 'badge badge-warn',
  offline: 'badge badge-danger',
};

/** Whether the page follows what happens by itself. */
function LiveStatus() {
  const t = useTexts(texts);
  const state = useLiveState();
  return (
    <span role="status" aria-label={t('liveUpdates')} className={looks[state]}>
      <span aria-hidden="true" className="size-2 rounded-full bg-current" />
      {t(state)}
    </span>
  );
}

function AccountMenu() {
  const t = useTexts(texts);
  const me = useMe();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    try {
      await leaveBrowser();
      await ask('Logout', {});
    } finally {
      tellSignedOut();
    }
  };
  return (
    <Menu
      label={t('account')}
      icon="account"
      heading={
        <div className="border-b border-line px-3 py-2">
          <p className="font-medium">{me.name}</p>
          <p className="text-xs text-muted">{me.email}</p>
          <p className="text-xs text-muted">{me.role}</p>
        </div>
      }
      items={[
        {
          label: t('documentation'),
          icon: 'external',
          onSelect: () => window.open(apiAddress('').replace(/v1$/, 'docs'), '_blank', 'noopener'),
        },
        !isLeaving && { label: t('signOut'), icon: 'out', onSelect: () => void leave() },
      ]}
    />
  );
}
