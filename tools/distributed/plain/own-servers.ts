import {
  ownKafka,
  ownPostgres,
  ownRabbitMq,
  ownRedis,
  severable,
  type DistributedServers,
  type OwnServer,
} from '@messaging-gateway/testing';

/** A server that things happen to. */
export interface Troubled {
  /** SIGKILL, then started again with its data. */
  killAndStart(): Promise<void>;
  /** From now on nothing comes through, without a word. */
  cut(): Promise<void>;
  heal(): Promise<void>;
}

export type TroubledName = 'postgres' | 'rabbitmq' | 'kafka' | 'redis';

/** All servers of an installation, each to be killed and cut off. */
export interface OwnServers {
  readonly urls: DistributedServers;
  readonly servers: Readonly<Record<TroubledName, Troubled>>;
  drop(): Promise<void>;
}

export async function startOwnServers(): Promise<OwnServers> {
  const [postgres, rabbitmq, kafka, redis] = await Promise.all([ownPostgres(), ownRabbitMq(), ownKafka(), ownRedis()]);
  const ways = await Promise.all([postgres, rabbitmq, redis].map(({ url }) => severable(Number(new URL(url).port))));
  const [toPostgres, toRabbitMq, toRedis] = ways as [(typeof ways)[0], (typeof ways)[0], (typeof ways)[0]];
  return {
    urls: {
      databaseUrl: through(postgres.url, toPostgres.port),
      amqpUrl: through(rabbitmq.url, toRabbitMq.port),
      brokers: kafka.brokers,
      cacheUrl: through(redis.url, toRedis.port),
    },
    servers: {
      postgres: troubled(postgres, toPostgres),
      rabbitmq: troubled(rabbitmq, toRabbitMq),
      redis: troubled(redis, toRedis),
      kafka: troubled(kafka, { cut: kafka.pause, heal: kafka.resume }),
    },
    drop: async () => {
      await Promise.allSettled(ways.map((way) => way.close()));
      await Promise.allSettled([postgres, rabbitmq, kafka, redis].map((server) => server.drop()));
    },
  };
}

const through = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

const troubled = (server: OwnServer, way: { cut(): unknown; heal(): unknown }): Troubled => ({
  killAndStart: async () => {
    await server.kill();
    await server.start();
  },
  cut: async () => void (await way.cut()),
  heal: async () => void (await way.heal()),
});
