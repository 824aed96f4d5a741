import { fileURLToPath } from 'node:url';
import { inSchema } from '@messaging-gateway/event-sourcing';
import { silentLogger, testClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { commandQueueMigrations } from '../migrations.ts';
import { childConsumer } from '../suites/child-consumer.ts';
import { commandsSuite } from '../suites/commands.suite.ts';
import { postgresCommandQueue } from './command-queue.ts';

const script = fileURLToPath(new URL('command-consumer.child.ts', import.meta.url));

commandsSuite('PostgreSQL', async () => {
  const database = await testDatabase();
  const clock = testClock();
  const pool = new Pool({ connectionString: database.url });
  await pool.query(`create schema bus; ${commandQueueMigrations.map(({ sql }) => inSchema(sql, 'bus')).join('\n')}`);
  return {
    clock,
    deadLetters: { pool, schema: 'bus' },
    connect: () => postgresCommandQueue({ pool, schema: 'bus', clock, log: silentLogger }),
    child: () => childConsumer(script, { DATABASE_URL: database.url }),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
});
