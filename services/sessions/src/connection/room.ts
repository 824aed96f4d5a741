import { Refused } from '@messaging-gateway/messaging';
import type { Held } from './holder.ts';

/** This replica may take nothing now. */
export const notNow = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile is being taken over.', undefined, { 'Retry-After': '2' });

type HeldById = ReadonlyMap<string, Held>;

/** How many have a connection or are on their way to one: what a replica has its share of. */
export const busyIn = (held: HeldById): number => [...held.values()].filter(({ isResting }) => !isResting).length;

/** One that can be let go of for another. @throws Refused SERVICE_UNAVAILABLE when none can */
export function restingIn(held: HeldById): Held {
  const resting = [...held.values()].find(({ isResting }) => isResting);
  if (resting !== undefined) return resting;
  throw new Refused('SERVICE_UNAVAILABLE', 'This installation holds as many connections as it may.', undefined, {
    'Retry-After': '60',
  });
}
