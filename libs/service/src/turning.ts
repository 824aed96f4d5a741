import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@messaging-gateway/runtime';
import type { Running } from './definition.ts';

/** So long a start waits for the first turn, milliseconds: with little data it is over by then. */
const startMs = 3_000;

export interface TurningOptions {
  readonly clock: Clock;
  /** Milliseconds from one turn to the next; a turn that takes longer is not overtaken. */
  readonly everyMs: number;
  /** `signal`: the service stops. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onFault: (reason: string) => void;
}

/** Upkeep that goes on beside the service: at its start, and then from time to time. What fails is done at the next turn. */
export function turning({ clock, everyMs, work, onFault }: TurningOptions): Running {
  let stopping = new AbortController();
  let cancel = (): void => undefined;
  let working: Promise<void> = Promise.resolve();
  const turn = async (): Promise<void> => {
    const { signal } = stopping;
    const begun = clock.now();
    await work(signal).catch((error: unknown) => signal.aborted || onFault(String(error)));
    if (!signal.aborted) cancel = clock.at(begun + everyMs, () => void (working = turn()));
  };
  return {
    start: async () => {
      stopping = new AbortController();
      working = turn();
      const enough = new AbortController();
      await Promise.race([working, delay(startMs, undefined, { signal: enough.signal }).catch(() => undefined)]);
      enough.abort();
    },
    stop: async () => {
      stopping.abort(new Error('The service is stopping.'));
      cancel();
      await working;
    },
  };
}
