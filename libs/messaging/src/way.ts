import type { Clock } from '@messaging-gateway/runtime';
import type { Subscription } from './events.ts';
import { KeyedWork } from './keyed-work.ts';

const usualConcurrency = 64;

/** The work of one kind of a subscription, in the way in which that is handled. */
export function workOf(
  { ways, concurrency: usual = usualConcurrency, ordered: usually = true }: Subscription,
  kind: string,
  clock: Clock,
): KeyedWork {
  const { concurrency = usual, ordered = usually } = ways?.[kind] ?? {};
  return new KeyedWork(concurrency, clock, ordered ? 1 : concurrency);
}
