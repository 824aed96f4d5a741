import { ownerNames } from '@messaging-gateway/contracts';
import { askAlive, onceInAWhile, type ProcessContext } from '@messaging-gateway/service/distributed';
import type { GatewaySettings } from './config.ts';
import { openGatewayPool } from './database.ts';
import { createGateway } from './gateway.ts';
import type { ReadinessState } from './health/readiness.ts';
import { builtPages } from './pages.ts';
import { redisThrottleStore } from './throttles/redis-throttle-store.ts';

/** @param owners stops those who answer in the same process */
type StopReplica = (owners?: () => Promise<void>) => Promise<void>;

/**
 * Starts one of the gateways of a distributed installation.
 *
 * @returns stops it: what is being answered is finished
 */
export async function startReplica(settings: GatewaySettings, context: ProcessContext): Promise<StopReplica> {
  const { connections, databaseUrl, clock, log } = context;
  const { ports, redis } = connections;
  const database = openGatewayPool(databaseUrl, log);
  const ready = onceInAWhile(async (): Promise<ReadinessState> => {
    const [checks, { services, about }] = await Promise.all([
      connections.checks(),
      askAlive(ports.operations, clock, ownerNames),
    ]);
    const { engine, voiceNotes } = about;
    return {
      database: checks.database === 'up',
      broker: checks.rabbitmq === 'up',
      cache: checks.cache === 'up',
      services: ownerNames.every((owner) => services[owner] === 'up'),
      owners: services,
      ...(engine !== undefined && { engine }),
      ...(voiceNotes !== undefined && { voiceNotes }),
    };
  });
  try {
    const gateway = await createGateway({
      ...context,
      settings,
      operations: ports.operations,
      cache: redis.cache,
      throttleStore: redisThrottleStore(redis),
      database,
      ready,
      pages: builtPages(settings),
    });
    log.info('Serving', { port: gateway.port });
    return async (owners) => {
      await gateway.stop(owners);
      await database.end();
    };
  } catch (error) {
    await database.end();
    throw error;
  }
}
