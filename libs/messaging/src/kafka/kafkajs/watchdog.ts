import type { Consumer } from 'kafkajs';
import { rootOf } from './errors.ts';

const lookMs = 5_000;
const stopMs = 100;

export interface Watchdog {
  /** Resolves with the reason when the consumer has ended by itself. */
  readonly ended: Promise<unknown>;
  /** Milliseconds since the broker has last confirmed the membership. */
  silentMs(): number;
  stop(): void;
}

/**
 * Tells when a consumer has ended by itself: the library stops for good after some errors (its CRASH event), and at
 * times without a word. A living one sends heartbeats all the time.
 *
 * @param longestMs silent for so long it counts as ended, milliseconds
 */
export function watchdog(consumer: Consumer, longestMs: number): Watchdog {
  let lastSign = performance.now();
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  const { HEARTBEAT, GROUP_JOIN, CRASH, STOP } = consumer.events;
  const alive = (): void => {
    lastSign = performance.now();
  };
  const silentMs = (): number => performance.now() - lastSign;
  const removers = [
    consumer.on(HEARTBEAT, alive),
    consumer.on(GROUP_JOIN, alive),
    consumer.on(CRASH, ({ payload: { error } }) => end(rootOf(error))),
    // A crash says STOP first, and then why.
    consumer.on(STOP, () => setTimeout(() => end(new Error('The consumer has stopped.')), stopMs).unref()),
  ];
  const timer = setInterval(() => {
    if (silentMs() > longestMs) end(new Error('The consumer has gone silent.'));
  }, lookMs).unref();
  return {
    ended: ended.finally(() => clearInterval(timer)),
    silentMs,
    stop: () => {
      clearInterval(timer);
      for (const remove of removers) remove();
    },
  };
}
