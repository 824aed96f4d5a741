import {
  doorbell,
  openEventStore,
  openJournalReader,
  type EventStore,
  type JournalReader,
} from '@messaging-gateway/event-sourcing';
import type { Pool } from 'pg';
import type { ServiceStorage } from './definition.ts';
import type { Host } from './ports.ts';

/** The journal of a service: its writer and its reader share the keys in memory, and the writer wakes the reader. */
export function openJournal(
  { schema, streams, inlineViews, guards }: ServiceStorage,
  pool: Pool,
  { encryption, clock, log, erasureLog }: Pick<Host, 'encryption' | 'clock' | 'log' | 'erasureLog'>,
): { store: EventStore; journal: JournalReader; close(): Promise<void> } {
  const options = { pool, schema, streams, encryption, clock, doorbell: doorbell() };
  const store = openEventStore({
    ...options,
    inlineViews,
    guards,
    ...(erasureLog && { erasureLog }),
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
