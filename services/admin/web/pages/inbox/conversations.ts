import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAsk, useAskingNow } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import type { Conversation } from '../../messages/shapes.ts';
import { KeptConversations, listKey, readings, requestOf, withNews, type Filter } from './kept-conversations.ts';
import { appended, renewed, type Kept } from './kept-list.ts';

/** With which the inbox begins. */
export const allConversations: Filter = { shown: 'all', profileId: '', search: '' };

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
  const queryKey = listKey(filter);
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

/** One conversation. What the lists have of it is there at once; one that they do not have is asked for. */
export function useConversation(id: string) {
  const client = useQueryClient();
  useState(() => new KeptConversations(client).keepSingle(id));
  return useAsk('GetConversation', requestOf(id), {
    around: async (answer) => {
      const conversation = await withNews(answer);
      if (conversation === undefined) throw new Problem('', { kind: 'refused', status: 404 });
      return conversation;
    },
  });
}
