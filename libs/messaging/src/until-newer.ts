import { needsNewer, unreadableText, type ReadEntry } from '@messaging-gateway/event-sourcing';

/** The next entry of a journal can only be read by a newer version, or with another key. */
export class NeedsNewer extends Error {
  override readonly name = 'NeedsNewer';
}

/** The entries up to the first that needs a newer version. @throws NeedsNewer when that is the first of all */
export function untilNewer(entries: readonly ReadEntry[]): readonly ReadEntry[] {
  const end = entries.findIndex(needsNewer);
  if (end === -1) return entries;
  const first = entries[0];
  if (end === 0 && first !== undefined && needsNewer(first)) throw new NeedsNewer(unreadableText(first));
  return entries.slice(0, end);
}
