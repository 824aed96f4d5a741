import { fileURLToPath } from 'node:url';
import { inSchema } from '@messaging-gateway/event-sourcing';
import { testClock } from '@messaging-gateway/runtime';
import { describeWith, testDatabase, testRabbitMq } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { consumerMigrations } from '../migrations.ts';
import { childConsumer } from '../suites/child-consumer.ts';
import { commandsSuite } from '../suites/commands.suite.ts';
import { participant } from './opened.fixture.ts';

const script = fileURLToPath(new URL('command-consumer.child.ts', import.meta.url));

describeWith('rabbitmq', 'over a broker', () =>
  commandsSuite('RabbitMQ', async () => {
    const [broker, database] = await Promise.all([testRabbitMq(), testDatabase()]);
    const clock = testClock();
    const pool = new Pool({ connectionString: database.url });
    const tables = consumerMigrations.map(({ sql }) => inSchema(sql, 'outbound')).join('\n');
    await pool.query(`create schema outbound; ${tables}`);
    return {
      clock,
      deadLetters: { pool, schema: 'outbound' },
      connect: () => {
        const { commands, close } = participant(broker.url, { clock });
        return { ...commands, close };
      },
      child: () => childConsumer(script, { AMQP_URL: broker.url, DATABASE_URL: database.url }),
      close: async () => {
        await pool.end();
        await database.drop();
        await broker.drop();
      },
    };
  }),
);
