import { fileURLToPath } from 'node:url';
import { testClock } from '@messaging-gateway/runtime';
import { describeWith, testRabbitMq } from '@messaging-gateway/testing';
import { childConsumer } from '../suites/child-consumer.ts';
import { commandsSuite } from '../suites/commands.suite.ts';
import { participant, testHome } from './opened.fixture.ts';

const script = fileURLToPath(new URL('command-consumer.child.ts', import.meta.url));

describeWith('rabbitmq', 'over a broker', () =>
  commandsSuite('RabbitMQ', async () => {
    const [broker, tables] = await Promise.all([testRabbitMq(), testHome()]);
    const clock = testClock();
    return {
      clock,
      deadLetters: tables.home,
      connect: () => {
        const { commands, close } = participant(broker.url, { clock });
        return { ...commands, close };
      },
      child: () => childConsumer(script, { AMQP_URL: broker.url, DATABASE_URL: tables.url }),
      close: async () => {
        await tables.drop();
        await broker.drop();
      },
    };
  }),
);
