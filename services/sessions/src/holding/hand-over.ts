import { setTimeout as sleep } from 'node:timers/promises';
import { SteerConnection } from '@messaging-gateway/contracts';
import { Heirs, type Leases } from '@messaging-gateway/leases';
import type { ServiceTools } from '@messaging-gateway/service';
import type { HeldProfile } from './held-profile.ts';
import { areWanted } from './wanted-profiles.ts';

export interface HandOverParts {
  readonly leases: Leases;
  readonly tools: Pick<ServiceTools<unknown>, 'ask' | 'log'>;
  /** Called when a profile begins to leave: from here on it is not held here. */
  readonly onLeaving: (held: HeldProfile) => void;
}

export interface StopParts extends HandOverParts {
  /** Hand-overs begun in a second, unless there are too many for the time that a stop may take. */
  readonly perSecond: number;
  /** Profiles that a replica may hold. */
  readonly most: number;
}

/** All hand-overs are begun in this time, milliseconds: requests are held for 10 s each, and a stop is no restart. */
const wholeMs = 10_000;
/** How long the next holder has to say that it has taken a profile, milliseconds. */
const takingMs = 5_000;
const tries = 3;

/**
 * Hands those that are wanted over to other replicas, if there are any: it takes nothing more itself. One after the other,
 * to the replica that holds the fewest. Requests that come meanwhile are held by those who ask (libs/service, `asking`).
 */
export async function handOver(held: readonly HeldProfile[], parts: StopParts): Promise<void> {
  const { leases, most, perSecond } = parts;
  const heirs = await leases
    .drain()
    .then(() => leases.standings(areWanted))
    .then((standings) => new Heirs(leases.replicaId, standings, most))
    .catch(() => undefined);
  if (heirs === undefined || heirs.isEmpty) return;
  const profiles = held.filter(({ connection }) => connection.isWanted);
  const gap = Math.min(1000 / perSecond, wholeMs / Math.max(1, profiles.length));
  const leaving: Promise<void>[] = [];
  for (const held of profiles) {
    leaving.push(handOverOne(held, heirs.next(), parts));
    await sleep(gap);
  }
  await Promise.allSettled(leaving);
}

/**
 * Hands one profile over, as fast as it can be: requests in progress are finished, the socket is closed, what was handed in
 * is on the disk, the lease goes to the next holder, and that one is told.
 *
 * @param to the next holder; undefined, or when that one does not take it: whoever does
 */
export async function handOverOne(
  held: HeldProfile,
  to: string | undefined,
  { leases, tools: { ask, log }, onLeaving }: HandOverParts,
): Promise<void> {
  const { profileId, organizationId } = held.lease;
  const resume = (route?: string): Promise<boolean> =>
    ask(
      SteerConnection,
      { organizationId, profileId, action: 'resume' },
      { timeoutMs: takingMs, ...(route !== undefined && { route, holdMs: 0 }) },
    ).then(
      () => true,
      () => false,
    );
  onLeaving(held);
  try {
    await held.leaveInOrder();
    const lease = held.lease.current;
    const [passed] = to === undefined ? [] : await leases.pass([lease], to);
    if (passed === undefined || to === undefined) await leases.release([lease]);
    else if ((await resume(to)) || !(await leases.recall(lease, to))) return;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      if (await resume()) return;
      await sleep(200);
    }
    log.info('Nobody has taken a profile over yet', { profileId });
  } catch (error) {
    log.warn('A profile could not be handed over in order', { profileId, reason: (error as Error).message });
  }
}
