import { unreadableText, type JournalEntry, type ReadEntry } from '@messaging-gateway/event-sourcing';

/** The entries up to the first that cannot be read. @throws Error when that is the first of all */
export function readableUntil(entries: readonly ReadEntry[]): readonly JournalEntry[] {
  const readable: JournalEntry[] = [];
  for (const entry of entries) {
    if (entry.unreadable === undefined) readable.push(entry);
    else if (readable.length > 0) break;
    else throw new Error(unreadableText(entry));
  }
  return readable;
}
