import { pace } from '../api/pace.ts';
import { placeAfter } from './after.ts';

type Word = 'over' | 'begun';

/** One channel for all tabs: who signs out in one has signed out in all. */
const channel = new BroadcastChannel('gateway.session');

/** Texts of messages that were not sent are kept under names that begin so, in this tab. */
export const draftKeys = 'gateway.draft.';

/** Everything that was read and written belongs to who has left: the page begins anew, signed out. */
function leave(): void {
  for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith(draftKeys)))
    sessionStorage.removeItem(key);
  location.assign('/sign-in');
}

/** Where this tab was before its session was over, when it asks to sign in; else where it is. */
function comeBack(): void {
  const next = new URLSearchParams(location.search).get('next') ?? undefined;
  if (location.pathname === '/sign-in') location.assign(placeAfter(next, location.origin));
  else location.reload();
}

/** Signed out, here and in the other tabs. */
export function tellSignedOut(): void {
  channel.postMessage('over' satisfies Word);
  leave();
}

/** Signed in: other tabs, which may show somebody else, begin anew. */
export function tellSignedIn(): void {
  pace.forget();
  channel.postMessage('begun' satisfies Word);
}

/** Follows what other tabs do. */
export function followOtherTabs(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data === 'over') leave();
    else comeBack();
  });
}
