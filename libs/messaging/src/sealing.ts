import type { Seals, SealState } from '@messaging-gateway/runtime';

/** How messages of a broker are sealed, and which of those that come are believed. */
export interface Sealing {
  readonly seals: Seals;
  /** Whether messages without a seal are believed, too: those of processes, or from a time, that had no secret yet. */
  readonly acceptsMissing: boolean;
}

/** The header of a message that has its seal. */
export const sealHeader = 'seal';

/** @returns the headers of a message; none without a secret */
export function sealed(
  sealing: Sealing | undefined,
  place: string,
  content: string | Uint8Array,
): Record<string, string> {
  return sealing === undefined ? {} : { [sealHeader]: sealing.seals.of(place, content) };
}

/** Whether a message is believed; if not, why. `unknown` may be right for a process that has another key. */
export function disbelief(
  sealing: Sealing | undefined,
  place: string,
  content: string | Uint8Array,
  seal: unknown,
): Exclude<SealState, 'holds'> | undefined {
  if (sealing === undefined) return undefined;
  const state = sealing.seals.stateOf(place, content, seal);
  return state === 'holds' || (state === 'missing' && sealing.acceptsMissing) ? undefined : state;
}
