import { fileURLToPath } from 'node:url';
import { systemClock } from '@messaging-gateway/runtime';
import { describeWith, testRabbitMq } from '@messaging-gateway/testing';
import { childConsumer } from '../suites/child-consumer.ts';
import { operationsSuite } from '../suites/operations.suite.ts';
import { connected, participant } from './opened.fixture.ts';

const script = fileURLToPath(new URL('operation-server.child.ts', import.meta.url));

describeWith('rabbitmq', 'over a broker', () =>
  operationsSuite('RabbitMQ', async () => {
    const broker = await testRabbitMq();
    const [asking, serving] = await Promise.all([0, 1].map(() => connected(participant(broker.url))));
    if (asking === undefined || serving === undefined) throw new Error('Two participants are needed.');
    return {
      asking: asking.operations,
      serving: serving.operations,
      clock: systemClock,
      child: () => childConsumer(script, { AMQP_URL: broker.url }),
      close: async () => {
        await Promise.all([asking.close(), serving.close()]);
        await broker.drop();
      },
    };
  }),
);
