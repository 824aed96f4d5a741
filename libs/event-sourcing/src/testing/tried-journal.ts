import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { counter } from './counter.ts';
import { doorbell } from '../doorbell.ts';
import type { EventStore } from '../event-store.ts';
import { journalMigration } from '../journal-migration.ts';
import { openJournalReader } from '../journal-reader.ts';
import type { OpenJournalReader } from '../journal-reader.ts';
import { openEventStore } from '../open-event-store.ts';
import type { EventStoreOptions } from '../store-options.ts';

/** A database with a journal `tried`, on which replicas are opened. */
export interface TriedJournal {
  readonly url: string;
  readonly pool: Pool;
  /** A store and a reader on a pool of their own, as another process would have. */
  replica(options?: Partial<EventStoreOptions>): Replica;
  end(): Promise<void>;
}

export interface Replica {
  readonly store: EventStore;
  readonly reader: OpenJournalReader;
  readonly pool: Pool;
  close(): Promise<void>;
}

export const metadata = { organizationId: 'o1', subject: 'organization:o1' };

/** A pool that does not mind its connections being ended. */
export const quietPool = (url: string): Pool =>
  new Pool({ connectionString: url })
    .on('error', () => undefined)
    .on('connect', (client) => void client.on('error', () => undefined));

export async function triedJournal(sql = ''): Promise<TriedJournal> {
  const database = await testDatabase();
  const open = (): Pool => quietPool(database.url);
  const pool = open();
  await pool.query(journalMigration('tried') + sql);
  return {
    url: database.url,
    pool,
    replica: (options) => openReplica(open(), options),
    end: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

export function openReplica(pool: Pool, options: Partial<EventStoreOptions> = {}): Replica {
  const all: EventStoreOptions = {
    pool,
    schema: 'tried',
    streams: [counter],
    inlineViews: [],
    guards: [],
    clock: systemClock,
    doorbell: doorbell(),
    encryption: encryptionKeys('k'.repeat(32)),
    ...options,
  };
  const [store, reader] = [openEventStore(all), openJournalReader(all)];
  return {
    store,
    reader,
    pool,
    close: async () => {
      await store.close();
      await reader.close();
      await pool.end();
    },
  };
}
