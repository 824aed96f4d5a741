type Word = 'over' | 'begun';

/** One channel for all tabs: who signs out in one has signed out in all. */
const channel = new BroadcastChannel('gateway.session');

/** Everything that was read belongs to who has left: the page begins anew, signed out. */
const leave = (): void => location.assign('/sign-in');

/** Signed out, here and in the other tabs. */
export function tellSignedOut(): void {
  channel.postMessage('over' satisfies Word);
  leave();
}

/** Signed in: other tabs, which may show somebody else, begin anew. */
export function tellSignedIn(): void {
  channel.postMessage('begun' satisfies Word);
}

/** Follows what other tabs do. */
export function followOtherTabs(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data === 'over') leave();
    else location.reload();
  });
}
