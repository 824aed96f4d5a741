import {
  doorbell,
  inSchema,
  journalMigrations,
  openEventStore,
  openJournalReader,
  type JournalOptions,
  type StreamType,
} from '@messaging-gateway/event-sourcing';
import { encryptionKeys, systemClock } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import type { EventBus, EventSource } from '../events.ts';
import { consumerMigrations } from '../migrations.ts';
import type { SuiteFact } from './events.harness.ts';

type Told = { type: 'Told'; data: SuiteFact };

const fact: StreamType<number, SuiteFact, Told> = {
  name: 'fact',
  decider: { initial: 0, decide: (data) => [{ type: 'Told', data }], evolve: (count) => count + 1 },
  events: { Told: { version: 1 } },
};

const newerFact = {
  ...fact,
  events: { Told: { version: 2, upcasters: { 1: (data: object) => data } } },
} as typeof fact;

const metadata = {
  subject: 'organization:o',
  requestId: 'request-1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

const suiteFact: EventSource['publish'] = ({ data }) => {
  const { kind, key, n } = data as unknown as SuiteFact;
  return [{ contract: { type: kind, version: 1 }, data: { n }, key }];
};

/** A journal that tells facts and a schema that takes them in. */
export function journalFixture(url: string, organizationId = 'o') {
  const pool = new Pool({ connectionString: url, max: 20 });
  // The database may be dropped while connections idle.
  pool.on('error', () => undefined);
  const options: JournalOptions = {
    pool,
    schema: 'teller',
    streams: [fact],
    clock: systemClock,
    doorbell: doorbell(),
    encryption: encryptionKeys('a test key with 32 characters...'),
  };
  const store = openEventStore({ ...options, inlineViews: [], guards: [] });
  return {
    pool,
    migrate: async (): Promise<void> => {
      for (const schema of ['teller', 'taker']) {
        for (const { sql } of [...journalMigrations, ...consumerMigrations]) await pool.query(inSchema(sql, schema));
      }
    },
    tell: async (facts: readonly SuiteFact[]): Promise<void> => {
      await Promise.all(
        facts.map((one) => store.handle(fact, one.key, one, { metadata: { ...metadata, organizationId } })),
      );
    },
    /** Tells the journal over a bus. @param version `asNewer`: it knows one more version of its event */
    connect: async (
      bus: EventBus,
      given: Partial<EventSource> = {},
      { asNewer = false } = {},
    ): Promise<{ bus: EventBus; close: () => Promise<void> }> => {
      const journal = openJournalReader(asNewer ? { ...options, streams: [newerFact] } : options);
      const source: EventSource = {
        name: 'teller',
        schema: 'teller',
        journal,
        pool,
        publish: suiteFact,
        ...given,
      };
      const stop = await bus.publishFrom(source);
      return {
        bus,
        close: async () => {
          await stop();
          await journal.close();
        },
      };
    },
    close: async (): Promise<void> => {
      await store.close();
      await pool.end();
    },
  };
}
