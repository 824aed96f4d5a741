import { databaseError } from '@messaging-gateway/runtime';
import type { Clock } from '@messaging-gateway/runtime';
import type { Doorbell, Take } from './doorbell.ts';
import type { JournalReader } from './event-store.ts';
import { journalLine } from './journal-line.ts';
import { journalCount } from './journal-count.ts';
import { journalRows } from './journal-rows.ts';
import type { JournalOptions } from './store-options.ts';
import { entriesOf } from './stored-rows.ts';
import { streamCatalogue } from './event-codec.ts';
import { subjectKeys } from './subject-keys.ts';
import { writerPool } from './writer-pool.ts';

/** Listeners are called at least so often, milliseconds: appends of other processes ring no bell here. */
const safetyPollMs = 1000;
/** Waits for an open transaction that holds back entries already there, milliseconds. */
const heldBackMs = [2, 4, 8, 16, 32, 64, 128, 250] as const;

/** A reader with something to close: it keeps two connections of its own while it is used. */
export interface OpenJournalReader extends JournalReader {
  close(): Promise<void>;
}

/**
 * Opens a journal for reading. Entries come in the order (generation, transaction id, position), below the oldest
 * transaction still open: transaction ids are given out at the first write, positions before the commit, so whatever
 * commits later stands behind that line. When it stands still for long, it is the oldest that may write to this journal.
 */
export function openJournalReader(options: JournalOptions): OpenJournalReader {
  const { schema, streams, encryption, clock } = options;
  const line = journalLine(options.pool, schema);
  const pool = writerPool(options.pool, 2);
  const catalogue = streamCatalogue(streams);
  const keys = subjectKeys(options.pool, schema, encryption);
  const news = newsOf(options.doorbell, clock);
  const rows = journalRows({ pool, schema, line, heldBack: news.heldBack });
  return {
    after: async (after, limit) => {
      if (!(limit >= 1 && limit <= 1000)) throw new RangeError('A journal is read in portions of 1 to 1000 entries.');
      try {
        await keys.notice();
        return await entriesOf(await rows.after(after, limit), catalogue, keys);
      } catch (error) {
        throw databaseError(error);
      }
    },
    end: async () => {
      try {
        return await rows.end();
      } catch (error) {
        throw databaseError(error);
      }
    },
    ...journalCount(pool, schema, () => rows.settled),
    onNews: (listener, take) => news.listen(listener, take),
    onNewLine: (listener) => line.onChange(listener),
    close: () => pool.end(),
  };
}

/** The doorbell, a safety poll, and another look soon after something was held back. */
function newsOf(
  doorbell: Doorbell,
  clock: Clock,
): { listen(listener: () => void, take?: Take): () => void; heldBack(any: boolean): void } {
  const listeners = new Set<() => void>();
  let looks = 0;
  let lookAgain: NodeJS.Timeout | undefined;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    heldBack: (any) => {
      if (!any) looks = 0;
      if (!any || lookAgain !== undefined) return;
      const wait = heldBackMs[Math.min(looks, heldBackMs.length - 1)];
      looks += 1;
      lookAgain = setTimeout(() => {
        lookAgain = undefined;
        tell();
      }, wait);
      lookAgain.unref();
    },
    listen: (listener, take) => {
      const own = (): void => listener();
      listeners.add(own);
      const stopDoorbell = doorbell.listen(own, take);
      let stopPoll = (): void => undefined;
      const poll = (): void => {
        stopPoll = clock.at(clock.now() + safetyPollMs, () => {
          poll();
          own();
        });
      };
      poll();
      return () => {
        listeners.delete(own);
        stopDoorbell();
        stopPoll();
      };
    },
  };
}
