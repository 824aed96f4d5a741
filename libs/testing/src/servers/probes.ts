import { connect } from 'node:net';
import kafkajs from 'kafkajs';
import { restIdleQueues } from '../idle-kafka-queues.ts';
import type { Probe } from './until-ready.ts';

restIdleQueues();

/** RabbitMQ listens for AMQP and its management interface answers. */
export const rabbitMqAnswers =
  (management: string, amqpPort: number): Probe =>
  async () => {
    const answer = await askManagement(
      management,
      'GET',
      `/api/health/checks/port-listener/${amqpPort}`,
      undefined,
      10_000,
    );
    return answer.ok;
  };

/** Calls RabbitMQ's management interface; user and password come from the URL. */
export function askManagement(
  management: string,
  method: string,
  path: string,
  body?: unknown,
  timeoutMs = 120_000,
): Promise<Response> {
  const url = new URL(path, management);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  [url.username, url.password] = ['', ''];
  return fetch(url, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** A broker of Kafka is a member of its cluster. */
export const kafkaAnswers =
  (brokers: readonly string[]): Probe =>
  async () => {
    const client = new kafkajs.Kafka({
      clientId: 'test-probe',
      brokers: [...brokers],
      logLevel: kafkajs.logLevel.NOTHING,
      retry: { retries: 0 },
      connectionTimeout: 2000,
    });
    const admin = client.admin();
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length > 0;
    } finally {
      await admin.disconnect();
    }
  };

/** An S3 server answers, be it with a refusal. */
export const s3Answers =
  (url: string): Probe =>
  async () =>
    (await fetch(url, { signal: AbortSignal.timeout(2_000) })).status > 0;

/** Redis answers a PING, be it with a refusal. */
export const redisAnswers =
  (host: string, port: number): Probe =>
  () =>
    new Promise((resolve) => {
      const socket = connect({ host, port, timeout: 2000 }, () => socket.write('PING\r\n'));
      const done = (answers: boolean): void => {
        socket.destroy();
        resolve(answers);
      };
      socket.on('data', (answer) => done(/^\+PONG|^-NOAUTH/.test(answer.toString())));
      socket.on('error', () => done(false));
      socket.on('timeout', () => done(false));
    });
