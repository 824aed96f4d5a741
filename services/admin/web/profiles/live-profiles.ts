import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../api/operations.ts';
import { useLiveEvents, useRereadOn, useRereading, type LiveEvent } from '../live/live.tsx';
import type { Status } from './status-badge.tsx';

type Profile = AnswerOf<'GetProfile'>;
type Listed = AnswerOf<'ListProfiles'>;
type Kept = Listed | InfiniteData<Listed> | undefined;

/** Change of a profile's connection by an event. */
function changeIn({ event, data }: LiveEvent): Partial<Pick<Profile, 'status' | 'phoneNumber' | 'pushName'>> {
  if (event === 'connection.update') return { status: data['status'] as Status };
  if (event === 'connection.ready')
    return {
      status: 'connected',
      phoneNumber: String(data['phoneNumber']),
      pushName: typeof data['pushName'] === 'string' ? data['pushName'] : null,
    };
  return event === 'connection.qr' ? { status: 'awaiting_scan' } : {};
}

/** Profiles that are shown follow their connections at once; what events do not say is read anew. */
export function useLiveProfiles(): void {
  const client = useQueryClient();
  const rereading = useRereading();
  useLiveEvents((event) => {
    const { profileId } = event;
    if (!event.event.startsWith('connection.') || typeof profileId !== 'string') return;
    const change = changeIn(event);
    if (change.status === undefined) return;
    patchProfile(client, profileId, change);
    // An answer that is under way may be older.
    if (client.isFetching({ queryKey: ['ListProfiles'] }) > 0) rereading.ask('ListProfiles');
  });
  useRereadOn({
    'connection.update': ['GetProfileStatus', 'GetProfile'],
    'connection.ready': ['GetProfileStatus', 'GetProfile'],
    'profile.*': ['ListProfiles', 'GetProfile', 'GetProfileHealth'],
  });
}

function patchProfile(client: QueryClient, id: string, change: Partial<Profile>): void {
  const patched = <T extends { readonly id: string }>(one: T): T => (one.id === id ? { ...one, ...change } : one);
  client.setQueriesData<Profile>({ queryKey: ['GetProfile'] }, (kept) => kept && patched(kept));
  client.setQueriesData<AnswerOf<'GetProfileStatus'>>(
    { queryKey: ['GetProfileStatus'] },
    (kept) => kept && patched(kept),
  );
  client.setQueriesData<Kept>({ queryKey: ['ListProfiles'] }, (kept) => {
    if (kept === undefined) return kept;
    const page = (one: Listed): Listed => ({ ...one, items: one.items.map(patched) });
    return 'pages' in kept ? { ...kept, pages: kept.pages.map(page) } : page(kept);
  });
}
