/** A replica whose last heartbeat is older than this is dead to the others, milliseconds (docs/decisions/0525). */
export let ttlMs = 9_000;
/** Heartbeats come so often, milliseconds. */
export const beatMs = 3_000;
/** A replica that could not renew for so long lets go, well before others may think it dead, milliseconds. */
export let letGoMs = letGoAfter(ttlMs);

/**
 * Changes the time to live for the whole process. For tests that are not about its end: in them a machine that stands
 * still for some seconds is no dead replica.
 *
 * @returns takes it back
 */
export function liveFor(milliseconds: number): () => void {
  const before = ttlMs;
  ttlMs = milliseconds;
  letGoMs = letGoAfter(ttlMs);
  return () => void liveFor(before);
}

function letGoAfter(milliseconds: number): number {
  return (milliseconds * 2) / 3;
}
