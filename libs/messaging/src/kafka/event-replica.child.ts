import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import type { SuiteFact } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openKafka } from './open-kafka.ts';

/** A replica that tells the journal (`TELLS`) and takes events of a kind in (`KIND`), a line for each. */
const { DATABASE_URL = '', BROKERS = '', TOPIC_PREFIX = '', KIND = '', TELLS } = process.env;
const { pool, connect } = journalFixture(DATABASE_URL);
const { events } = openKafka({
  brokers: BROKERS.split(','),
  topicPrefix: TOPIC_PREFIX,
  clientId: 'child',
  partitions: 6,
  replication: 1,
  retentionDays: 7,
  clock: systemClock,
  // Replicas are killed, and the test waits until the brokers give them up.
  sessionTimeoutMs: 1_500,
  log: silentLogger,
});
if (TELLS !== undefined) await connect(events);
if (KIND !== '')
  await events.subscribe({
    group: 'taker',
    kinds: [KIND],
    home: { schema: 'taker', pool },
    handler: async ({ data, key }) => {
      process.stdout.write(`${JSON.stringify({ kind: KIND, key, n: (data as SuiteFact).n })}\n`);
      await delay(5);
    },
  });
process.stdout.write('ready\n');
