import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import { openKafka } from './open-kafka.ts';
import { unfinished } from '../suites/unfinished.ts';

const { DATABASE_URL = '', BROKERS = '', TOPIC_PREFIX = '', GROUP = '', KIND = '' } = process.env;
const { events } = openKafka({
  brokers: BROKERS.split(','),
  topicPrefix: TOPIC_PREFIX,
  clientId: 'child',
  partitions: 3,
  replication: 1,
  retentionDays: 7,
  clock: systemClock,
  // It is killed, and the test waits until the brokers give it up.
  sessionTimeoutMs: 1_500,
  log: silentLogger,
});
const work = unfinished(6, 20);
await events.subscribe({
  group: GROUP,
  kinds: [KIND],
  home: { schema: 'taker', pool: new Pool({ connectionString: DATABASE_URL }) },
  handler: async ({ data }) => {
    process.stdout.write(`${(data as { n: number }).n}\n`);
    await work();
  },
});
process.stdout.write('ready\n');
