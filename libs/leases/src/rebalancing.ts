import { setting } from '@messaging-gateway/runtime';
import { usualTtlMs } from './lease.ts';

/** How often a replica gives one of its keys away; the same variable in every service that leases. */
export const rebalanceSetting = {
  variable: 'REBALANCE_SECONDS',
  byDefault: '2',
  means:
    'So often, in seconds, a replica of sessions or of outbound that holds more than others gives one profile, or one lane, that nobody uses just now to the one that holds the fewest; ' +
    'not before the replicas have been the same for fifteen times as long, 9 s at least. 0: never.',
  read: setting.fraction(2, 0),
} as const;

/** How long replicas must have been the same before anything moves, milliseconds. */
export const settledAfter = (rebalanceSeconds: number, ttlMs = usualTtlMs): number =>
  Math.max(ttlMs, rebalanceSeconds * 15_000);
