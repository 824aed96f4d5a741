import { askManagement } from '../probes.ts';
import type { ServerAddress, ServerKind } from '../server.ts';

const variables: Readonly<Record<ServerKind, string>> = {
  rabbitmq: 'TEST_RABBITMQ_URL',
  kafka: 'TEST_KAFKA_BROKERS',
  redis: 'TEST_REDIS_URL',
  s3: 'TEST_S3_URL',
  postgres: 'TEST_POSTGRES_URL',
};

/**
 * The server that the environment names.
 *
 * RabbitMQ's management interface, which makes a virtual host for each test, is `TEST_RABBITMQ_MANAGEMENT_URL`, else
 * port 15672 of the same machine with the same user.
 */
export function given(kind: ServerKind): ServerAddress | undefined {
  const url = process.env[variables[kind]];
  if (url === undefined || url === '') return undefined;
  return kind === 'rabbitmq' ? { url, management: managementOf(url) } : { url };
}

/** @returns undefined when a given server can be used, else why not, in one line */
export async function faultOfGiven(kind: ServerKind, address: ServerAddress): Promise<string | undefined> {
  if (kind !== 'rabbitmq') return undefined;
  const answer = await askManagement(address.management ?? '', 'GET', '/api/overview').catch(() => undefined);
  if (answer?.ok === true) return undefined;
  return 'RabbitMQ is given, but its management interface does not answer: set TEST_RABBITMQ_MANAGEMENT_URL';
}

function managementOf(url: string): string {
  const named = process.env['TEST_RABBITMQ_MANAGEMENT_URL'];
  if (named !== undefined && named !== '') return named;
  const { username, password, hostname } = new URL(url);
  return `http://${username || 'guest'}:${password || 'guest'}@${hostname}:15672`;
}
