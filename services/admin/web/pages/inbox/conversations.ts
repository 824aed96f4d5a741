import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAskingNow } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { appended, patched, renewed, upserted, without, type Kept } from './kept-list.ts';
import { Readings } from './readings.ts';
import { titleOf, type Conversation } from '../../messages/shapes.ts';

type Shown = 'all' | 'unread' | 'groups' | 'archived';

/** Which conversations are listed. */
export interface Filter {
  readonly shown: Shown;
  readonly profileId: string;
  readonly search: string;
}

/** With which the inbox begins. */
export const allConversations: Filter = { shown: 'all', profileId: '', search: '' };

const listKey = 'ListConversations';
const pageSize = 50;
/** Of the pages behind the first one: who scrolls shall not run into the throttles. */
const furtherSize = 200;

const queryOf = ({ shown, profileId, search }: Filter) => ({
  limit: pageSize,
  archived: shown === 'archived',
  ...(shown === 'unread' && { unread: true }),
  ...(shown === 'groups' && { type: 'group' as const }),
  ...(profileId !== '' && { profileId }),
  ...(search !== '' && { search }),
});

/** Whether a conversation belongs into a list; of a search only the server knows all. */
const fits = ({ shown, profileId, search }: Filter, conversation: Conversation): boolean =>
  conversation.archived === (shown === 'archived') &&
  (shown !== 'unread' || conversation.unreadCount > 0) &&
  (shown !== 'groups' || conversation.type === 'group') &&
  (profileId === '' || conversation.profileId === profileId) &&
  `${titleOf(conversation)} ${conversation.jid}`.toLowerCase().includes(search.toLowerCase());

const before = (one: Conversation, other: Conversation): boolean =>
  one.pinned === other.pinned ? (one.lastMessageAt ?? '') > (other.lastMessageAt ?? '') : one.pinned;

const readings = new Readings<Filter, Kept<Conversation>>();

export interface Conversations {
  readonly items: readonly Conversation[];
  readonly total: number;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** How the conversations of a filter are read, as far as they were scrolled. */
export function conversationsRead(client: QueryClient, filter: Filter) {
  const queryKey = [listKey, 'kept', filter];
  return {
    queryKey,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      readings.read(filter, async () => {
        const page = await ask('ListConversations', { query: queryOf(filter) }, { signal });
        return renewed(client.getQueryData<Kept<Conversation>>(queryKey), page);
      }),
    // Nothing is gained by comparing tens of thousands of rows with those before, each time that one changes.
    structuralSharing: false,
  };
}

/** The conversations of a filter, as far as they were scrolled. */
export function useConversations(filter: Filter): Conversations {
  const client = useQueryClient();
  const [moreProblem, setMoreProblem] = useState<Problem>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const reading = conversationsRead(client, filter);
  const key = reading.queryKey;
  const askNow = useAskingNow(key);
  const query = useQuery({ ...reading, throwOnError: (error) => !(error instanceof Problem) });
  const kept = query.data;
  const error = query.error ?? query.failureReason;
  const loadMore = async () => {
    const cursor = kept?.nextCursor;
    if (typeof cursor !== 'string' || isLoadingMore || moreProblem !== undefined) return;
    setLoadingMore(true);
    try {
      const query = { ...queryOf(filter), limit: furtherSize, cursor };
      const page = await readings.read(filter, () => ask('ListConversations', { query }));
      client.setQueryData<Kept<Conversation>>(key, (now) => now && appended(now, page));
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setMoreProblem(failure);
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    items: kept?.items ?? [],
    total: kept?.total ?? kept?.items.length ?? 0,
    problem: error instanceof Problem ? error : moreProblem,
    isLoading: query.isPending,
    loadMore: () => void loadMore(),
    retry: () => {
      setMoreProblem(undefined);
      askNow();
    },
  };
}

/** Conversations in the cache, for changing them as events say. */
export class KeptConversations {
  readonly #client: QueryClient;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** One that is kept anywhere. */
  find(id: string): Conversation | undefined {
    const single = this.#client.getQueryData<Conversation>(['GetConversation', { params: { id }, query: {} }]);
    return single ?? this.#lists().flatMap(([, kept]) => kept.items.filter((one) => one.id === id))[0];
  }

  /** Puts a conversation as it stands now into its place in all lists that it fits. */
  put(conversation: Conversation): void {
    const { id } = conversation;
    this.#client.setQueryData(['GetConversation', { params: { id }, query: {} }], conversation);
    this.#change(
      (filter) => (kept) =>
        fits(filter, conversation) || (filter.search !== '' && kept.items.some((one) => one.id === id))
          ? upserted(kept, conversation, before)
          : without(kept, id),
    );
  }

  /** Changes a conversation without moving it. */
  patch(id: string, change: (conversation: Conversation) => Conversation): void {
    this.#change(() => (kept) => patched(kept, id, change));
  }

  drop(id: string): void {
    this.#change(() => (kept) => without(kept, id));
  }

  #lists(): (readonly [Filter, Kept<Conversation>])[] {
    return this.#client
      .getQueriesData<Kept<Conversation>>({ queryKey: [listKey, 'kept'] })
      .flatMap(([key, kept]) => (kept === undefined ? [] : [[key[2] as Filter, kept] as const]));
  }

  #change(changeOf: (filter: Filter) => (kept: Kept<Conversation>) => Kept<Conversation>): void {
    for (const [filter, kept] of this.#lists())
      this.#client.setQueryData([listKey, 'kept', filter], changeOf(filter)(kept));
    readings.tell(changeOf);
  }
}
