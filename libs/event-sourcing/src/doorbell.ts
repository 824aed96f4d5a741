import type { JournalEntry } from './journal-entry.ts';

/** Entries that one statement has appended. */
interface Appended {
  /** In the order of the journal; undefined: their places are not known. */
  entries(): readonly JournalEntry[] | undefined;
  /** Whether readers are to hear of it at once. */
  isNews(): boolean;
}

/** Takes what was appended, so that it need not be read. @returns whether it did */
export type Take = (entries: readonly JournalEntry[]) => boolean;

/** Tells the readers of this process that something was appended. Rings are joined: many appends, one call. */
export interface Doorbell {
  ring(appended: Appended): void;
  /**
   * @param listener called when there is something to be read
   * @param take asked first, append by append, in their order
   * @returns stops listening
   */
  listen(listener: () => void, take?: Take): () => void;
}

interface Listener {
  readonly call: () => void;
  readonly take: Take | undefined;
}

export function doorbell(): Doorbell {
  const listeners = new Set<Listener>();
  let rung: Appended[] = [];
  const call = (): void => {
    const batches = rung;
    rung = [];
    for (const listener of listeners) {
      const missed = batches.filter((batch) => !isTaken(listener, batch));
      if (missed.some((batch) => batch.isNews())) listener.call();
    }
  };
  return {
    ring: ({ entries, isNews }) => {
      if (listeners.size === 0) return;
      if (rung.length === 0) setImmediate(call);
      rung.push({ entries: lazy(entries), isNews: lazy(isNews) });
    },
    listen: (listener, take) => {
      const own = { call: listener, take };
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}

function isTaken({ take }: Listener, { entries }: Appended): boolean {
  if (take === undefined) return false;
  const given = entries();
  return given !== undefined && take(given);
}

/** A value that is made at the first call and kept. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
