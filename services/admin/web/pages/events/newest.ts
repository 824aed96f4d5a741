import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAskingNow, type Pages } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';

type Answer = AnswerOf<'ReadEvents'>;
export type ToldEvent = Answer['items'][number];

const pageSize = 50;
const queryKey = ['ReadEvents'];

/** The events of the organization, the newest first, back as far as they are kept. */
export function useNewestEvents(): Pages<ToldEvent> {
  const retry = useAskingNow(queryKey);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      ask('ReadEvents', { query: { before: pageParam, limit: pageSize } }, { signal }),
    initialPageParam: 'latest',
    getNextPageParam: ({ items, nextCursor }: Answer) => (items.length < pageSize ? undefined : nextCursor),
    throwOnError: (error) => !(error instanceof Problem),
    staleTime: 0,
  });
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const error = query.error ?? query.failureReason;
  return {
    items,
    total: items.length,
    isTotalKnown: !query.hasNextPage,
    problem: error instanceof Problem ? error : undefined,
    isLoading: query.isPending,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    retry,
  };
}
