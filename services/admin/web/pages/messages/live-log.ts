import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ask } from '../../api/client.ts';
import type { AnswerOf, RequestOf } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { useLiveEvents } from '../../live/live.tsx';
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
  const restedAt = useRef(0);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [request],
  );
  useLiveEvents(({ event, data, profileId }) => {
    if (request === undefined || profileId !== request.params.profileId || !event.startsWith('message.')) return;
    const key = ['ListProfileMessages', request];
    if (event === 'message.status') {
      const status = data['status'] as Message['status'];
      client.setQueryData<InfiniteData<Page>>(
        key,
        (kept) =>
          kept && changed(kept, String(data['messageId']), (one) => ({ ...one, status: later(one.status, status) })),
      );
      return;
    }
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        restedAt.current = performance.now() + restMs;
        ask('ListProfileMessages', request).then(
          (page) => client.setQueryData<InfiniteData<Page>>(key, (kept) => kept && renewed(kept, page)),
          (error: unknown) => {
            if (!(error instanceof Problem)) throw error;
          },
        );
      },
      Math.max(soonMs, restedAt.current - performance.now()),
    );
  });
}
