import { Unavailable, UnknownEncryptionKey } from '@messaging-gateway/runtime';
import type { JournalEntry, ReadEntry, Unreadable, UnreadableEntry } from './journal-entry.ts';

/** An entry that this version of the program does not know. */
export class OfNewerVersion extends Error {
  override readonly name = 'OfNewerVersion';
}

/** Why an entry could not be read, from what its reading threw. */
export const unreadableAs = (fault: unknown): Unreadable => ({
  kind: fault instanceof OfNewerVersion || fault instanceof UnknownEncryptionKey ? 'newer' : 'damaged',
  reason: fault instanceof Error ? fault.message : String(fault),
});

export const isDamaged = (entry: ReadEntry): entry is UnreadableEntry => entry.unreadable?.kind === 'damaged';
export const needsNewer = (entry: ReadEntry): entry is UnreadableEntry => entry.unreadable?.kind === 'newer';

/** One sentence for logs and errors. */
export const unreadableText = ({ stream, version, type, unreadable: { kind, reason } }: UnreadableEntry): string =>
  `The entry ${stream} ${version} (${type}) ${kind === 'newer' ? 'needs a newer version or another key' : 'is damaged'}: ${reason}`;

/**
 * The entries when all of them can be read.
 *
 * @throws Unavailable when one needs a newer version; Error when one is damaged
 */
export function allReadable(entries: readonly ReadEntry[]): JournalEntry[] {
  return entries.map((entry) => {
    if (entry.unreadable === undefined) return entry;
    throw entry.unreadable.kind === 'newer' ? new Unavailable(unreadableText(entry)) : new Error(unreadableText(entry));
  });
}
