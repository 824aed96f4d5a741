import type { Consumer } from 'kafkajs';
import { rootOf } from './errors.ts';

const lookMs = 5_000;

/**
 * Tells when a consumer has ended by itself: the library stops for good after some errors (its CRASH event), and at
 * times without a word. A living one fetches all the time, if only to wait for records.
 *
 * @param silentMs without a fetch for so long it counts as ended, milliseconds
 */
export function watchdog(
  consumer: Consumer,
  silentMs: number,
): { readonly ended: Promise<unknown>; readonly stop: () => void } {
  let lastSign = performance.now();
  let end: (reason: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  const { FETCH_START, FETCH, GROUP_JOIN, CRASH, STOP } = consumer.events;
  const alive = (): void => {
    lastSign = performance.now();
  };
  const removers = [FETCH_START, FETCH, GROUP_JOIN].map((name) => consumer.on(name as typeof FETCH, alive));
  removers.push(consumer.on(CRASH, ({ payload: { error } }) => end(rootOf(error))));
  removers.push(consumer.on(STOP, () => setTimeout(() => end(new Error('The consumer has stopped.')), 100).unref()));
  const timer = setInterval(() => {
    if (performance.now() - lastSign > silentMs) end(new Error('The consumer has gone silent.'));
  }, lookMs).unref();
  return {
    ended: ended.finally(() => clearInterval(timer)),
    stop: () => {
      clearInterval(timer);
      for (const remove of removers) remove();
    },
  };
}
