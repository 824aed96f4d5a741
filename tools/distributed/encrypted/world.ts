import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownSecured, type DistributedServers, type SecuredServer } from '@messaging-gateway/testing';

/** Servers that take connections with TLS, and what an operator sets to reach them. */
export interface EncryptedWorld {
  readonly postgres: SecuredServer;
  readonly rabbitMq: SecuredServer;
  readonly kafka: SecuredServer;
  readonly redis: SecuredServer;
  /** The user, the same in all of them. */
  readonly user: string;
  readonly password: string;
  /** Certificate of the authority, PEM. */
  readonly authority: string;
  readonly authorityFile: string;
  readonly addresses: DistributedServers;
  /** Beside the addresses. */
  readonly environment: Readonly<Record<string, string>>;
  /** For files of the tests; removed at the end. */
  readonly directory: string;
  end(): Promise<void>;
}

export async function startEncryptedWorld(): Promise<EncryptedWorld> {
  const [postgres, rabbitMq, kafka, redis] = await Promise.all([
    ownSecured('postgres'),
    ownSecured('rabbitmq'),
    ownSecured('kafka'),
    ownSecured('redis'),
  ]);
  const { authority, user, password } = postgres.secured;
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-encrypted-'));
  const authorityFile = join(directory, 'authority.pem');
  writeFileSync(authorityFile, authority);
  return {
    postgres,
    rabbitMq,
    kafka,
    redis,
    user,
    password,
    authority,
    authorityFile,
    directory,
    addresses: {
      databaseUrl: postgres.secureUrl,
      amqpUrl: rabbitMq.secureUrl,
      brokers: [kafka.secureUrl],
      cacheUrl: redis.secureUrl,
    },
    environment: {
      NODE_EXTRA_CA_CERTS: authorityFile,
      KAFKA_TLS: 'true',
      KAFKA_USERNAME: user,
      KAFKA_PASSWORD: password,
    },
    end: async () => {
      await Promise.allSettled([postgres, rabbitMq, kafka, redis].map((server) => server.drop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
