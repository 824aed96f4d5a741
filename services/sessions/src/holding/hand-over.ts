import { setTimeout as sleep } from 'node:timers/promises';
import { SteerConnection } from '@messaging-gateway/contracts';
import type { Leases } from '@messaging-gateway/leases';
import type { ServiceTools } from '@messaging-gateway/service';
import type { HeldProfile } from './held-profile.ts';

export interface HandOverParts {
  readonly leases: Leases;
  readonly tools: Pick<ServiceTools<unknown>, 'ask' | 'log'>;
  /** Hand-overs begun in a second, unless there are too many for the time that a stop may take. */
  readonly perSecond: number;
  /** Called when a profile begins to leave: from here on it is not held here. */
  readonly onLeaving: (held: HeldProfile) => void;
}

/** All hand-overs are begun in this time, milliseconds: requests are held for 10 s each, and a stop is no restart. */
const wholeMs = 10_000;
/** How long the next holder has to say that it has taken a profile, milliseconds. */
const takingMs = 5_000;
const tries = 3;

/**
 * Hands those that are wanted over to other replicas, if there are any: it takes nothing more itself. One after the other, each as short as it can be: requests in progress are
 * finished, the socket is closed, what was handed in is on the disk, the lease is free, and another replica is told.
 * Requests that come meanwhile are held by those who ask (libs/service, `asking`).
 */
export async function handOver(held: readonly HeldProfile[], parts: HandOverParts): Promise<void> {
  const hasOthers = await parts.leases
    .drain()
    .then(() => parts.leases.hasOthers())
    .catch(() => false);
  if (!hasOthers) return;
  const profiles = held.filter(({ connection }) => connection.isWanted);
  const gap = Math.min(1000 / parts.perSecond, wholeMs / Math.max(1, profiles.length));
  const leaving: Promise<void>[] = [];
  for (const held of profiles) {
    leaving.push(handOverOne(held, parts));
    await sleep(gap);
  }
  await Promise.allSettled(leaving);
}

async function handOverOne(
  held: HeldProfile,
  { leases, tools: { ask, log }, onLeaving }: HandOverParts,
): Promise<void> {
  const { profileId, organizationId } = held.lease;
  onLeaving(held);
  try {
    await held.leaveInOrder();
    await leases.release([held.lease.current]);
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const taken = await ask(
        SteerConnection,
        { organizationId, profileId, action: 'resume' },
        { timeoutMs: takingMs },
      ).then(
        () => true,
        () => false,
      );
      if (taken) return;
      await sleep(200);
    }
    log.info('Nobody has taken a profile over yet', { profileId });
  } catch (error) {
    log.warn('A profile could not be handed over in order', { profileId, reason: (error as Error).message });
  }
}
