import { QueryClientProvider } from '@tanstack/react-query';
import { createBrowserHistory, RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/asking.ts';
import { whenSessionEnds } from './api/client.ts';
import { makeRouter } from './app/router.tsx';
import { appear, storedAppearance } from './kit/appearance.ts';
import { SaysThings } from './kit/say.tsx';
import { SpeaksLanguage } from './language/language.tsx';
import { followOtherTabs } from './session/session.ts';

appear(storedAppearance());
followOtherTabs();

/** What follows is a task of its own: what somebody does meanwhile comes in between. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

await pause();
const client = makeQueryClient();
const history = createBrowserHistory();
await pause();
const router = makeRouter(client, history);
await pause();

whenSessionEnds((end) => {
  const { pathname, searchStr } = router.state.location;
  if (end === 'temporary') return void router.navigate({ to: '/change-password' });
  client.clear();
  if (!/^\/(sign-in|register)/.test(pathname))
    void router.navigate({ to: '/sign-in', search: { next: `${pathname}${searchStr}` }, replace: true });
});

// A notification that was chosen while this page is open.
if ('serviceWorker' in navigator)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ readonly open?: unknown }>) => {
    if (typeof data.open === 'string' && data.open.startsWith('/')) void router.navigate({ to: data.open });
  });

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no place for the app.');
// In a transition, as whatever is much at once: it is drawn in pieces, and what somebody does meanwhile comes in between.
const app = createRoot(place);
startTransition(() =>
  app.render(
    <StrictMode>
      <SpeaksLanguage>
        <QueryClientProvider client={client}>
          <SaysThings>
            <RouterProvider router={router} />
          </SaysThings>
        </QueryClientProvider>
      </SpeaksLanguage>
    </StrictMode>,
  ),
);
