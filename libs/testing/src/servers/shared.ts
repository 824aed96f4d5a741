import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { kafkaAnswerMs, patientKafka } from '../patient-kafka.ts';
import { askKeeper } from './keeper-client.ts';
import { askManagement } from './probes.ts';
import type { ServerAddress } from './server.ts';

export interface TestRabbitMq {
  /** With a virtual host of the test's own. */
  readonly url: string;
  readonly virtualHost: string;
  /** Calls RabbitMQ's management interface, for example `('GET', '/api/queues/' + virtualHost)`. */
  manage(method: string, path: string, body?: unknown): Promise<Response>;
  /** Removes the virtual host with all that it holds. */
  drop(): Promise<void>;
}

/** A virtual host of the test's own on the RabbitMQ of the run, which the first caller starts. */
export async function testRabbitMq(): Promise<TestRabbitMq> {
  const { url: server, management = '' } = await askKeeper<ServerAddress>('shared/rabbitmq');
  const virtualHost = `test-${randomBytes(6).toString('hex')}`;
  const manage = (method: string, path: string, body?: unknown): Promise<Response> => {
    const ask = () => askManagement(management, method, path, body);
    return method === 'POST' ? ask() : untilAnswered(ask);
  };
  const expectOk = async (answer: Response): Promise<void> => {
    if (!answer.ok)
      throw new Error(`RabbitMQ's management interface answered ${answer.status}: ${await answer.text()}`);
  };
  const url = new URL(server);
  await expectOk(await manage('PUT', `/api/vhosts/${virtualHost}`));
  const permissions = { configure: '.*', write: '.*', read: '.*' };
  await expectOk(await manage('PUT', `/api/permissions/${virtualHost}/${url.username || 'guest'}`, permissions));
  url.pathname = `/${virtualHost}`;
  return {
    url: url.href,
    virtualHost,
    manage,
    drop: async () => expectOk(await manage('DELETE', `/api/vhosts/${virtualHost}`)),
  };
}

/** RabbitMQ ends a request that takes it a minute, as it may on a busy machine. What changes nothing twice is asked again. */
async function untilAnswered(ask: () => Promise<Response>): Promise<Response> {
  for (const until = performance.now() + 150_000; ; await sleep(500)) {
    const answer = await ask().catch((error: unknown) => {
      if (performance.now() > until) throw error;
    });
    if (answer !== undefined) return answer;
  }
}

export interface TestKafka {
  readonly brokers: readonly string[];
  /** Before the name of every topic (and group) of the test's own. */
  readonly topicPrefix: string;
  /** Deletes the topics with this prefix. */
  drop(): Promise<void>;
}

/** A topic prefix of the test's own on the Kafka of the run, which the first caller starts. */
export async function testKafka(): Promise<TestKafka> {
  const brokers = (await askKeeper<ServerAddress>('shared/kafka')).url.split(',');
  const topicPrefix = `test-${randomBytes(6).toString('hex')}.`;
  return { brokers, topicPrefix, drop: () => deleteTopics(brokers, topicPrefix) };
}

async function deleteTopics(brokers: readonly string[], prefix: string): Promise<void> {
  const admin = patientKafka(brokers).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics, timeout: kafkaAnswerMs });
  } finally {
    await admin.disconnect();
  }
}

export interface TestRedis {
  /** With an empty database of the test's own. Note that channels (publish, subscribe) span all databases. */
  readonly url: string;
  /** Empties the database. */
  drop(): Promise<void>;
}

/** A database of the test's own on the Redis of the run, which the first caller starts. */
export async function testRedis(): Promise<TestRedis> {
  const { url: server } = await askKeeper<ServerAddress>('shared/redis');
  const taken = await onRedis(server, async (client) => {
    const databases = Number((await client.configGet('databases'))['databases'] ?? 16);
    // Database 0 counts those that were given out.
    return 1 + ((await client.incr('test:databases')) % (databases - 1));
  });
  const url = new URL(server);
  url.pathname = `/${taken}`;
  const empty = async (): Promise<void> => void (await onRedis(url.href, (client) => client.flushDb()));
  await empty();
  return { url: url.href, drop: empty };
}

export interface TestS3 {
  /** `http://host:port` */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** A name that no other test has; the bucket is not there yet. */
  readonly bucket: string;
}

/** A bucket's name of the test's own on the S3 server of the run, which the first caller starts. */
export async function testS3(): Promise<TestS3> {
  const url = new URL((await askKeeper<ServerAddress>('shared/s3')).url);
  return {
    endpoint: url.origin,
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    bucket: `test-${randomBytes(6).toString('hex')}`,
  };
}

async function onRedis<T>(url: string, work: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
  const client = createClient({ url });
  await client.connect();
  try {
    return await work(client as ReturnType<typeof createClient>);
  } finally {
    client.destroy();
  }
}
