import {
  openServerRun,
  ownKafka,
  ownPostgres,
  ownRabbitMq,
  ownRedis,
  ownServersAvailable,
  startDistributed,
} from '@messaging-gateway/testing';
import { commitsOf } from './commits.ts';
import { measuredSettings, type Installation } from './installation.ts';
import { childOf, cpuMs, cpuMsByName, residentMiB } from './process-cost.ts';
import type { SimulatorProcess } from './simulator-process.ts';

/**
 * Each service a process of its own, over RabbitMQ, Kafka, Redis and PostgreSQL started here.
 *
 * @returns undefined when a server is missing, which is said
 */
export async function installDistributed(network: SimulatorProcess): Promise<Installation | undefined> {
  const run = await openServerRun();
  if (!ownServersAvailable('rabbitmq') || !ownServersAvailable('kafka') || !ownServersAvailable('redis')) {
    for (const line of run.missing) console.log(`Over the brokers: not measured. ${line}`);
    await run.close();
    return undefined;
  }
  // All servers are children of one process that this one has started.
  const keeper = childOf(process.pid, 'keeper');
  const [postgres, rabbitmq, kafka, redis] = await Promise.all([ownPostgres(), ownRabbitMq(), ownKafka(), ownRedis()]);
  const services = await startDistributed({
    databaseUrl: postgres.url,
    amqpUrl: rabbitmq.url,
    brokers: kafka.brokers,
    cacheUrl: redis.url,
    environment: { NODE_ENV: 'development', ...measuredSettings(network) },
  });
  return {
    host: services.gateways[0] ?? '',
    call: services.call,
    cost: async () => {
      const servers = cpuMsByName(keeper);
      const ofPostgres = servers.get('postgres') ?? 0;
      return {
        services: sum(services.replicas.map(({ pid }) => cpuMs(pid))),
        postgres: ofPostgres,
        brokers: sum([...servers.values()]) - ofPostgres,
        commits: await commitsOf(postgres.url),
      };
    },
    residentMiB: () => sum(services.replicas.map(({ pid }) => residentMiB(pid))),
    abandon: () => services.replicas.forEach((replica) => replica.signal('SIGTERM')),
    end: async () => {
      await services.stop();
      await run.close();
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
