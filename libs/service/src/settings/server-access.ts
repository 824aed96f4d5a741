import type { SettingsOf } from '@messaging-gateway/runtime';
import type { kafkaAccessSettings } from './kafka-access-settings.ts';

/** Which settings say how a server is reached. */
export interface ServerAccess {
  readonly address: string;
  /** User and password. */
  readonly user: string;
  /** Where authorities are named beside those that Node.js trusts. */
  readonly authority: string;
  /** The setting that asks for TLS. */
  readonly tls: string;
  /** TLS is asked for. */
  readonly encrypted: boolean;
}

const authority = 'NODE_EXTRA_CA_CERTS';

export const postgresAccess = (url: string): ServerAccess => ({
  address: 'DATABASE_URL',
  user: 'DATABASE_URL',
  authority: `${authority} or sslrootcert in DATABASE_URL`,
  tls: 'sslmode in DATABASE_URL',
  encrypted: /[?&]ssl/.test(url),
});

export const rabbitMqAccess = (url: string): ServerAccess => ({
  address: 'AMQP_URL',
  user: 'AMQP_URL',
  authority,
  tls: 'amqps:// in AMQP_URL',
  encrypted: url.startsWith('amqps:'),
});

export const redisAccess = (url: string): ServerAccess => ({
  address: 'CACHE_URL',
  user: 'CACHE_URL',
  authority,
  tls: 'rediss:// in CACHE_URL',
  encrypted: url.startsWith('rediss:'),
});

export const kafkaServerAccess = ({
  kafkaTls,
}: Pick<SettingsOf<typeof kafkaAccessSettings>, 'kafkaTls'>): ServerAccess => ({
  address: 'KAFKA_BROKERS',
  user: 'KAFKA_USERNAME, KAFKA_PASSWORD and KAFKA_SASL_MECHANISM',
  authority: `KAFKA_TLS or ${authority}`,
  tls: 'KAFKA_TLS',
  encrypted: kafkaTls !== false,
});
