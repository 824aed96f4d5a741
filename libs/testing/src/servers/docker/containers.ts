import { testSettings } from '../installed/kafka.ts';
import { testKeys } from '../installed/s3.ts';
import { kafkaAnswers, rabbitMqAnswers, redisAnswers, s3Answers } from '../probes.ts';
import type { BrokerKind, Launch } from '../server.ts';
import { launchContainer } from './container-server.ts';
import type { ContainerPlan } from './container-server.ts';

const rabbitMq: ContainerPlan = {
  image: 'rabbitmq:4.1-management',
  ports: [5672, 15_672],
  environment: () => ({ RABBITMQ_DEFAULT_USER: 'test', RABBITMQ_DEFAULT_PASS: 'test' }),
  address: (host, [amqp, management]) => ({
    url: `amqp://test:test@${host}:${amqp}`,
    management: `http://test:test@${host}:${management}`,
  }),
  ready: ({ management = '' }) => rabbitMqAnswers(management, 5672),
};

const kafka: ContainerPlan = {
  image: 'apache/kafka:4.2.1',
  ports: [9092],
  environment: (host, [port]) =>
    asVariables({
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': '1@localhost:9093',
      listeners: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://localhost:9093',
      'advertised.listeners': `PLAINTEXT://${host}:${port}`,
      ...testSettings,
    }),
  address: (host, [port]) => ({ url: `${host}:${port}` }),
  ready: ({ url }) => kafkaAnswers([url]),
};

const redis: ContainerPlan = {
  image: 'redis:7.4',
  ports: [6379],
  command: ['redis-server', '--databases', '2000', '--appendonly', 'yes', '--save', ''],
  environment: () => ({}),
  address: (host, [port]) => ({ url: `redis://${host}:${port}` }),
  ready: ({ url }) => redisAnswers(new URL(url).hostname, Number(new URL(url).port)),
};

const s3: ContainerPlan = {
  image: 'versity/versitygw:v1.8.0',
  ports: [7070],
  command: ['posix', '/tmp'],
  environment: () => ({ ROOT_ACCESS_KEY: testKeys.access, ROOT_SECRET_KEY: testKeys.secret }),
  address: (host, [port]) => ({ url: `http://${testKeys.access}:${testKeys.secret}@${host}:${port}` }),
  ready: ({ url }) => s3Answers(new URL(url).origin),
};

/** `log.dirs` → `KAFKA_LOG_DIRS`, as the image of Apache Kafka reads them. */
const asVariables = (settings: Readonly<Record<string, string | number | boolean>>): Record<string, string> => ({
  KAFKA_HEAP_OPTS: '-Xmx256m -Xms256m',
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.replaceAll('.', '_').toUpperCase()}`,
      String(value),
    ]),
  ),
});

/** The brokers as containers. They keep their data in themselves, so a kill and a start find it again. */
export const containers: Readonly<Record<BrokerKind, Launch>> = {
  rabbitmq: () => launchContainer(rabbitMq),
  kafka: () => launchContainer(kafka),
  redis: () => launchContainer(redis),
  s3: () => launchContainer(s3),
};
