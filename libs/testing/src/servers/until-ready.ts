import { setTimeout as sleep } from 'node:timers/promises';

/** Asked again and again; a rejection means "not yet". */
export type Probe = () => Promise<boolean>;

/**
 * Waits until a probe says yes.
 *
 * @param ended says that waiting is in vain
 * @returns false when it ended or `timeoutMs` have passed
 */
export async function untilReady(probe: Probe, ended: () => boolean, timeoutMs = 120_000): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!ended() && performance.now() < deadline) {
    if (await probe().catch(() => false)) return true;
    await sleep(100);
  }
  return false;
}
