import {
  QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type Query,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ask } from './client.ts';
import { newId } from './ids.ts';
import type { AnswerOf, OperationName, RequestOf } from './operations.ts';
import { Problem } from './problem.ts';

/** Tries of one reading in all, before somebody asks for more. */
const mostTries = 5;
const longestWaitMs = 90_000;

/** When queries were last asked for, by the clock of the browser. */
const askedAt = new WeakMap<object, number>();

/** Since when an answer is known, or has been awaited where there is none yet; undefined: it was never asked for. Milliseconds since 1970. */
export const readSince = (query: Query): number | undefined =>
  query.state.data === undefined ? askedAt.get(query) : query.state.dataUpdatedAt;

/** When operations were left by those who had let their answers follow events. Milliseconds since 1970. */
const leftAt = new Map<unknown, number>();

/** Whether an answer was asked for before its operation was left: however late it comes, nobody has heard for it since. */
const isLeft = (query: Query): boolean => (askedAt.get(query) ?? Infinity) < (leftAt.get(query.queryKey[0]) ?? 0);

/** What these operations read follows events no longer: it is read again where it is shown next, however new it is. */
export function leave(client: QueryClient, ...names: readonly OperationName[]): void {
  for (const name of names) {
    leftAt.set(name, Date.now());
    void client.invalidateQueries({ queryKey: [name], refetchType: 'none' });
  }
}

/** The cache of answers: an answer counts as new until the live stream or a change of our own says otherwise. */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => error instanceof Problem && error.passing && failures < mostTries - 1,
        retryDelay: (failures, error) => {
          const asked = error instanceof Problem ? (error.retryAfter ?? 0) * 1000 : 0;
          return Math.min(longestWaitMs, Math.max(asked, 1000 * 2 ** failures));
        },
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  client.getQueryCache().subscribe((told) => {
    if (told.type !== 'updated') return;
    const { query, action } = told;
    if (action.type === 'fetch') askedAt.set(query, Date.now());
    else if (!query.state.isInvalidated && isLeft(query)) query.invalidate();
  });
  return client;
}

interface Reading<T> {
  readonly data: T | undefined;
  /** The problem in the way now, also while the request is tried again. */
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly retry: () => void;
}

const problemIn = (error: unknown): Problem | undefined => (error instanceof Problem ? error : undefined);

/** Asks now, also while it waits to be tried again by itself: a query that waits takes no notice of another wish to read it. */
export function useAskingNow(queryKey: QueryKey): () => void {
  const client = useQueryClient();
  return () =>
    void client.cancelQueries({ queryKey, exact: true }).then(() => client.refetchQueries({ queryKey, exact: true }));
}

interface ListOptions {
  /** false: not asked yet. */
  readonly when?: boolean;
  /** Milliseconds for which what was read counts as new. */
  readonly staleTime?: number;
}

interface ReadOptions<T> extends ListOptions {
  /** Around the asking, for what follows events also while its answer is under way. */
  readonly around?: (answer: () => Promise<T>) => Promise<T>;
}

/** Asks for what a page that is still being loaded will read with the same options. */
export const askAhead = <N extends OperationName>(
  client: QueryClient,
  name: N,
  given: RequestOf<N>,
  { staleTime }: Pick<ListOptions, 'staleTime'>,
): Promise<void> =>
  client.prefetchQuery({ queryKey: [name, given], queryFn: ({ signal }) => ask(name, given, { signal }), staleTime });

/** Reads one thing, once for all who ask for the same. What scripts throw goes on to the page's boundary. */
export function useAsk<N extends OperationName>(
  name: N,
  given: RequestOf<N>,
  { when = true, around = (answer) => answer(), ...options }: ReadOptions<AnswerOf<N>> = {},
): Reading<AnswerOf<N>> {
  const queryKey = [name, given];
  const retry = useAskingNow(queryKey);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => around(() => ask(name, given, { signal })),
    enabled: when,
    throwOnError: (error) => !(error instanceof Problem),
    ...options,
  });
  return {
    data: query.data,
    problem: problemIn(query.error ?? query.failureReason),
    isLoading: query.isPending && when,
    retry,
  };
}

interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly total?: number;
}
type ItemOf<N extends OperationName> = AnswerOf<N> extends PageOf<infer T> ? T : never;
/** The names of operations that answer lists in pages. */
export type ListName = { [N in OperationName]: AnswerOf<N> extends PageOf<unknown> ? N : never }[OperationName];

export interface Pages<T> {
  readonly items: readonly T[];
  /** How many there are in all; what is loaded where the API does not say. */
  readonly total: number;
  /** The API said how many there are, or all are loaded. */
  readonly isTotalKnown: boolean;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** A list that came whole with another answer, as tables take lists. */
export const wholeList = <T>(
  items: readonly T[],
  asked: Partial<Pick<Pages<T>, 'problem' | 'isLoading' | 'retry'>> = {},
): Pages<T> => ({
  problem: undefined,
  isLoading: false,
  retry: () => undefined,
  ...asked,
  items,
  total: items.length,
  isTotalKnown: true,
  hasMore: false,
  isLoadingMore: false,
  loadMore: () => undefined,
});

/** Reads a list page after page. */
export function useList<N extends ListName>(
  name: N,
  given: RequestOf<N>,
  { when = true, ...options }: ListOptions = {},
): Pages<ItemOf<N>> {
  const queryKey = [name, given];
  const retry = useAskingNow(queryKey);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => {
      const { query: asked } = given as { readonly query?: object };
      const request = { ...given, query: { ...asked, ...(pageParam !== '' && { cursor: pageParam }) } };
      return ask(name, request as RequestOf<N>, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page as PageOf<ItemOf<N>>).nextCursor ?? undefined,
    enabled: when,
    throwOnError: (error) => !(error instanceof Problem),
    ...options,
  });
  const pages = query.data as InfiniteData<PageOf<ItemOf<N>>> | undefined;
  const items = useMemo(() => pages?.pages.flatMap((page) => page.items) ?? [], [pages]);
  return {
    items,
    total: pages?.pages[0]?.total ?? items.length,
    isTotalKnown: pages?.pages[0]?.total !== undefined || !query.hasNextPage,
    problem: problemIn(query.error ?? query.failureReason),
    isLoading: query.isPending && when,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    retry,
  };
}

/**
 * Lets answers be read again: what is shown at once, the rest when it is shown. A first answer that is under way is waited for, as
 * it may be older than what has happened.
 */
export async function readAgain(client: QueryClient, which: QueryFilters): Promise<void> {
  await Promise.all(
    client
      .getQueryCache()
      .findAll(which)
      .map(async ({ queryKey, state, promise }) => {
        if (state.data === undefined) await promise?.catch(() => undefined);
        await client.invalidateQueries({ queryKey, exact: true });
      }),
  );
}

/** Lets what was read by these operations be read again. */
export function useReread(): (...names: readonly OperationName[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...names) => {
      for (const name of names) void readAgain(client, { queryKey: [name] });
    },
    [client],
  );
}

interface Writing<N extends OperationName> {
  /** Sends it; undefined when it failed, which `problem` then says. */
  readonly write: (given: RequestOf<N>) => Promise<{ readonly answer: AnswerOf<N> } | undefined>;
  readonly problem: Problem | undefined;
  readonly isBusy: boolean;
  readonly forget: () => void;
}

/**
 * Writes by one operation. What was composed bears one Idempotency-Key for as long as nobody knows what became of it, so that
 * trying again never doubles it; after an answer, or when it was changed, the next one bears its own.
 */
export function useWrite<N extends OperationName>(name: N, ...rereads: readonly OperationName[]): Writing<N> {
  const reread = useReread();
  const composed = useRef({ text: '', key: '' });
  const busy = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const write: Writing<N>['write'] = async (given) => {
    if (busy.current) return undefined;
    const text = JSON.stringify(given);
    if (composed.current.text !== text) composed.current = { text, key: newId() };
    busy.current = true;
    setBusy(true);
    try {
      const answer = await ask(name, given, { key: composed.current.key });
      composed.current = { text: '', key: '' };
      setProblem(undefined);
      reread(...rereads);
      return { answer };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.unsure) composed.current = { text: '', key: '' };
      setProblem(error);
      return undefined;
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return { write, problem, isBusy, forget: () => setProblem(undefined) };
}
