import { useQueryClient, type Query } from '@tanstack/react-query';
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { OperationName } from '../api/operations.ts';
import { LiveStream, type LiveEvent, type LiveState } from './stream.ts';

export type { LiveEvent, LiveState } from './stream.ts';

const Stream = createContext<LiveStream | undefined>(undefined);

/** What was read so long before events were heard is read again, milliseconds: of all that a page reads first, most is not. */
const oldMs = 500;

/** Opens the stream for who is signed in. */
export function Live({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [stream] = useState(() => new LiveStream());
  useEffect(() => {
    const over = [
      stream.onMissed(() => void client.invalidateQueries()),
      stream.onBegun((at) => {
        const isOld = ({ state: { dataUpdatedAt } }: Query): boolean => dataUpdatedAt > 0 && dataUpdatedAt < at - oldMs;
        void client.invalidateQueries({ predicate: isOld });
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

/** An operation that many events ask for is read once in so long, milliseconds. */
const coalescedMs = 700;

/**
 * Lets what was read be read again when something happens: `{ 'connection.state': ['ListProfiles', 'GetProfile'] }`. Kinds may end
 * with `*`. What many events in a row ask for is read once.
 *
 * @param restMs so long it is not read again afterwards: for what may happen every second. Milliseconds
 */
export function useRereadOn(kinds: Readonly<Record<string, readonly OperationName[]>>, restMs = 0): void {
  const client = useQueryClient();
  const due = useRef(new Set<OperationName>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const restedAt = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ event }) => {
    const names = Object.entries(kinds).flatMap(([kind, operations]) => (matches(kind, event) ? operations : []));
    if (names.length === 0) return;
    for (const name of names) due.current.add(name);
    const wait = Math.max(coalescedMs, restedAt.current - performance.now());
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      restedAt.current = performance.now() + restMs;
      const asked = [...due.current];
      due.current.clear();
      for (const name of asked) void client.invalidateQueries({ queryKey: [name] });
    }, wait);
  });
}

const matches = (kind: string, event: string): boolean =>
  kind.endsWith('*') ? event.startsWith(kind.slice(0, -1)) : kind === event;
