import {
  doorbell,
  openEventStore,
  openJournalReader,
  type EventStore,
  type JournalReader,
  type RecordedEvent,
} from '@messaging-gateway/event-sourcing';
import type { Pool } from 'pg';
import { marked, noteWritten } from './auditing.ts';
import type { Publish, ServiceStorage } from './definition.ts';
import type { Host } from './ports.ts';

/**
 * The journal of a service: its writer and its reader share the keys in memory, and the writer wakes the reader when
 * there is something to tell. What is appended for a request is marked for the audit.
 */
export function openJournal(
  { schema, streams, inlineViews, guards }: ServiceStorage,
  pool: Pool,
  { encryption, clock, log }: Pick<Host, 'encryption' | 'clock' | 'log'>,
  publish: Publish,
  onWritten: (streams: number, conflicts: number) => void,
): { store: EventStore; journal: JournalReader; close(): Promise<void> } {
  const options = { pool, schema, streams, encryption, clock, doorbell: doorbell() };
  const store = openEventStore({
    ...options,
    inlineViews,
    guards,
    completed: marked,
    appended: noteWritten,
    isNews: (event) => tells(publish, event),
    onWritten,
    onFault: (fault) => log.warn('Journal fault', { schema, reason: String(fault) }),
  });
  const reader = openJournalReader(options);
  return {
    store,
    journal: reader,
    close: async () => {
      await store.close();
      await reader.close();
    },
  };
}

/** Whether an event is told. One whose mapping fails goes to readers all the same: they report it. */
function tells(publish: Publish, event: RecordedEvent): boolean {
  try {
    return publish(event).length > 0;
  } catch {
    return true;
  }
}
