import { useQueryClient, type Query } from '@tanstack/react-query';
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react';
import { leave, readAgain, readSince } from '../api/asking.ts';
import type { OperationName } from '../api/operations.ts';
import { Rereading } from './rereading.ts';
import { LiveStream, type LiveEvent, type LiveState } from './stream.ts';

export type { LiveEvent, LiveState } from './stream.ts';

const Stream = createContext<LiveStream | undefined>(undefined);

/** What was read, or asked for, so long before events were heard is read again, milliseconds: of all that a page reads first, most is not. */
const oldMs = 500;

/** Opens the stream for who is signed in. */
export function Live({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [stream] = useState(() => new LiveStream());
  useEffect(() => {
    const over = [
      stream.onMissed(() => void readAgain(client, {})),
      stream.onBegun((at) => {
        const isOld = (query: Query): boolean => (readSince(query) ?? at) < at - oldMs;
        void readAgain(client, { predicate: isOld });
      }),
      stream.start(),
    ];
    return () => {
      for (const end of over) end();
    };
  }, [client, stream]);
  return <Stream value={stream}>{children}</Stream>;
}

/** Whether the page is up to date by itself. */
export function useLiveState(): LiveState {
  const stream = use(Stream);
  return useSyncExternalStore(
    (told) => stream?.onState(told) ?? (() => undefined),
    () => stream?.state ?? 'reconnecting',
  );
}

/** Does something with every event, of all kinds. */
export function useLiveEvents(act: (event: LiveEvent) => void): void {
  const stream = use(Stream);
  const acted = useEffectEvent(act);
  useEffect(() => stream?.onEvent((event) => acted(event)), [stream]);
}

/** Says that what these operations read follows events as long as this is shown, and no longer. */
export function useFollowed(...names: readonly OperationName[]): void {
  const client = useQueryClient();
  const left = useEffectEvent(() => leave(client, ...names));
  useEffect(() => () => left(), []);
}

/** For letting what operations read be read again as events ask for it. @param restMs see {@link Rereading} */
export function useRereading(restMs = 0): Rereading<OperationName> {
  const client = useQueryClient();
  const [rereading] = useState(
    () =>
      new Rereading<OperationName>(
        (names) => Promise.all(names.map((name) => readAgain(client, { queryKey: [name] }))),
        restMs,
      ),
  );
  useEffect(() => () => rereading.end(), [rereading]);
  return rereading;
}

/**
 * Lets what was read be read again soon when something happens: `{ 'connection.state': ['ListProfiles', 'GetProfile'] }`. Kinds may
 * end with `*`.
 */
export function useRereadOn(kinds: Readonly<Record<string, readonly OperationName[]>>, restMs = 0): void {
  const rereading = useRereading(restMs);
  useFollowed(...Object.values(kinds).flat());
  useLiveEvents(({ event }) => {
    for (const [kind, operations] of Object.entries(kinds)) if (matches(kind, event)) rereading.ask(...operations);
  });
}

const matches = (kind: string, event: string): boolean =>
  kind.endsWith('*') ? event.startsWith(kind.slice(0, -1)) : kind === event;
