import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from '../open-redis.ts';

/** Waits until Redis answers, or until it does not. */
export async function connected(redis: Redis, state: ReturnType<Redis['state']> = 'connected'): Promise<void> {
  const until = performance.now() + 170_000;
  while (redis.state() !== state) {
    if (performance.now() > until) throw new Error(`Redis was never ${state}.`);
    await wait(10);
  }
}
