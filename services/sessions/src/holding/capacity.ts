import { Refused } from '@messaging-gateway/messaging';
import type { HeldProfile } from './held-profile.ts';

/** This replica may take nothing now. */
export const notNow = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile is being taken over.', undefined, { 'Retry-After': '2' });

type HeldById = ReadonlyMap<string, HeldProfile>;

/** A profile that wants to be held. */
export interface Newcomer {
  readonly organizationId: string;
  /** A start logs in without a scan. */
  readonly isLinked: boolean;
}

/** How many have a connection or are on their way to one: what a replica has its share of. */
export const busyIn = (held: HeldById): number => [...held.values()].filter(({ isResting }) => !isResting).length;

/**
 * One that can be let go of for another: one that is down; else one that waits for a scan, of the organization that has
 * the most of them. It gives way to what is linked, and to an organization that has fewer.
 *
 * @throws Refused SERVICE_UNAVAILABLE when none can
 */
export function dispensableIn(held: HeldById, newcomer: Newcomer): HeldProfile {
  const all = [...held.values()];
  const resting = all.find(({ isResting }) => isResting);
  if (resting !== undefined) return resting;
  const unscanned = Map.groupBy(
    all.filter(({ connection }) => connection.isUnscanned),
    ({ lease }) => lease.organizationId,
  );
  const [most = []] = [...unscanned.values()].toSorted((one, other) => other.length - one.length);
  const own = unscanned.get(newcomer.organizationId)?.length ?? 0;
  const last = most.at(-1);
  if (last !== undefined && (newcomer.isLinked || most.length > own + 1)) return last;
  throw new Refused('SERVICE_UNAVAILABLE', 'This installation holds as many connections as it may.', undefined, {
    'Retry-After': '60',
  });
}
