import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAskingNow } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { appended, patched, renewed, upserted, without, type Kept } from './kept-list.ts';
import { Readings } from './readings.ts';
import type { Message } from '../../messages/shapes.ts';
import { later } from '../../messages/states.ts';

const listKey = 'ListConversationMessages';
const pageSize = 50;
/** Of the pages behind the first one: who scrolls shall not run into the throttles. */
const furtherSize = 200;

/** As the API lists them: ids of messages grow with their time, also within a second. */
const before = (one: Message, other: Message): boolean => one.id > other.id;

export interface Chat {
  /** Newest first. */
  readonly items: readonly Message[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly problem: Problem | undefined;
  readonly loadMore: () => void;
  readonly retry: () => void;
  /** Asks the phone. @returns how many came, and whether there may be more; undefined when it failed */
  readonly loadFromPhone: () => Promise<{ readonly fetched: number; readonly hasMore: boolean } | undefined>;
}

const keyOf = (conversationId: string) => [listKey, 'kept', conversationId];
const none: Kept<Message> = { items: [], nextCursor: null };
/** By the conversations that they are of. */
export const messageReadings = new Readings<string, Kept<Message>>();

/** The messages of a conversation, as far as they were scrolled. */
export function useChat(conversationId: string): Chat {
  const client = useQueryClient();
  const [moreProblem, setMoreProblem] = useState<Problem>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const params = { conversationId };
  const key = keyOf(conversationId);
  const askNow = useAskingNow(key);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      messageReadings.read(conversationId, async () => {
        const page = await ask('ListConversationMessages', { params, query: { limit: pageSize } }, { signal });
        return renewed(client.getQueryData<Kept<Message>>(key), page);
      }),
    // Nothing is gained by comparing tens of thousands of rows with those before, each time that one changes.
    structuralSharing: false,
    throwOnError: (error) => !(error instanceof Problem),
  });
  const kept = query.data ?? none;
  const error = query.error ?? query.failureReason;
  const busy = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (isLoadingMore) return undefined;
    setLoadingMore(true);
    setMoreProblem(undefined);
    try {
      return await work();
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure;
      setMoreProblem(failure);
      return undefined;
    } finally {
      setLoadingMore(false);
    }
  };
  const add = async (page: () => Promise<Kept<Message>>) => {
    const read = await messageReadings.read(conversationId, page);
    client.setQueryData<Kept<Message>>(key, (now) => appended(now ?? none, read));
  };
  const loadMore = async () => {
    const cursor = kept.nextCursor;
    if (cursor !== null)
      await add(() => ask('ListConversationMessages', { params, query: { limit: furtherSize, cursor } }));
  };
  const loadFromPhone = async () => {
    const answer = ask('LoadOlderMessages', { params, query: {} });
    await add(async () => ({ items: (await answer).items, nextCursor: null }));
    return answer;
  };
  return {
    items: kept.items,
    hasMore: kept.nextCursor !== null,
    isLoading: query.isPending,
    isLoadingMore,
    problem: error instanceof Problem ? error : moreProblem,
    loadMore: () => void busy(loadMore),
    retry: () => {
      setMoreProblem(undefined);
      askNow();
    },
    loadFromPhone: () => busy(loadFromPhone),
  };
}

/** Messages in the cache, for changing them as events say. */
export class KeptMessages {
  readonly #client: QueryClient;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Whether the messages of a conversation are shown, were, or are about to be. */
  has(conversationId: string): boolean {
    return (
      this.#client.getQueryData(keyOf(conversationId)) !== undefined ||
      messageReadings.has((key) => key === conversationId)
    );
  }

  find(conversationId: string, id: string): Message | undefined {
    return this.#client.getQueryData<Kept<Message>>(keyOf(conversationId))?.items.find((message) => message.id === id);
  }

  /** Reads a message, and puts it into its place. What was told while its answer was under way is newer. @throws Problem */
  async read(conversationId: string, id: string): Promise<void> {
    const asOf = messageReadings.moment();
    const { items } = await messageReadings.read(conversationId, async () => ({
      items: [await ask('GetMessage', { params: { id }, query: {} })],
      nextCursor: null,
    }));
    const message = items.find((one) => one.id === id);
    if (message === undefined || messageReadings.isLeftSince(asOf)) return;
    // Its state does not fall back.
    const change = (kept: Kept<Message>) => {
      const known = kept.items.find((one) => one.id === id);
      const status = later(known?.status ?? message.status, message.status);
      return upserted(kept, { ...message, status }, before);
    };
    this.#change(conversationId, change, asOf);
  }

  /** Takes a message as an event tells it: of one that is known only its state is new. */
  hear(message: Message): void {
    this.#change(message.conversationId, (kept) =>
      kept.items.some(({ id }) => id === message.id)
        ? patched(kept, message.id, (known) => ({ ...known, status: later(known.status, message.status) }))
        : upserted(kept, message, before),
    );
  }

  patch(conversationId: string, id: string, change: (message: Message) => Message): void {
    this.#change(conversationId, (kept) => patched(kept, id, change));
  }

  drop(conversationId: string, id: string): void {
    this.#change(conversationId, (kept) => without(kept, id));
  }

  clear(conversationId: string): void {
    this.#change(conversationId, () => none);
  }

  #change(conversationId: string, change: (kept: Kept<Message>) => Kept<Message>, asOf?: number): void {
    this.#client.setQueryData<Kept<Message>>(keyOf(conversationId), (kept) => kept && change(kept));
    messageReadings.tell((key) => (key === conversationId ? change : (kept) => kept), asOf);
  }
}
