import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readAgain } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import type { AnswerOf, RequestOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { useFollowed, useLiveEvents } from '../../live/live.tsx';
import type { Message } from '../../messages/shapes.ts';
import { later } from '../../messages/states.ts';
import { changed, renewed } from './log-pages.ts';

type Page = AnswerOf<'ListProfileMessages'>;
export type Request = RequestOf<'ListProfileMessages'>;

const soonMs = 500;
/** A profile that sends all the time is not asked for more often. */
const restMs = 4_000;

/**
 * Lets the log of a profile follow what happens: states at once, what is new by reading its first page again, however many
 * pages are there and however much happens.
 */
export function useLiveLog(request: Request | undefined): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isReading = useRef(false);
  const restedAt = useRef(0);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [request],
  );
  useFollowed('ListProfileMessages');
  useLiveEvents(({ event, data, profileId }) => {
    if (request === undefined || profileId !== request.params.profileId || !event.startsWith('message.')) return;
    const queryKey = ['ListProfileMessages', request];
    if (event === 'message.status') {
      const status = data['status'] as Message['status'];
      client.setQueryData<InfiniteData<Page>>(
        queryKey,
        (kept) =>
          kept && changed(kept, String(data['messageId']), (one) => ({ ...one, status: later(one.status, status) })),
      );
      // An answer that is under way may be older.
      if (!isReading.current && client.isFetching({ queryKey, exact: true }) === 0) return;
    }
    const read = async () => {
      timer.current = undefined;
      isReading.current = true;
      restedAt.current = performance.now() + restMs;
      try {
        const page = await ask('ListProfileMessages', request);
        client.setQueryData<InfiniteData<Page>>(queryKey, (kept) => kept && renewed(kept, page));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        // It is tried again as any list, and says what is in the way.
        if (error.passing) void readAgain(client, { queryKey, exact: true });
      } finally {
        isReading.current = false;
      }
    };
    timer.current ??= setTimeout(() => void read(), Math.max(soonMs, restedAt.current - performance.now()));
  });
}
