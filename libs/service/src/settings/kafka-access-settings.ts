import type { KafkaOptions } from '@messaging-gateway/messaging/brokers';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { readCertificates } from './certificate-file.ts';

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** How brokers of a managed cluster are reached. */
export const kafkaAccessSettings = {
  kafkaTls: {
    variable: 'KAFKA_TLS',
    byDefault: 'false',
    means:
      'TLS to Kafka: `true`, or the path of a PEM file with the authority that signed its certificates, in place of those that Node.js trusts.',
    read: (text: string | undefined): boolean | { readonly ca: string } => {
      if (text === undefined || text === 'false') return false;
      if (text === 'true') return true;
      return { ca: readCertificates(text) };
    },
  },
  kafkaUsername: {
    variable: 'KAFKA_USERNAME',
    byDefault: 'none',
    means: 'User of Kafka. Together with `KAFKA_PASSWORD`.',
    read: setting.optionalText,
  },
  kafkaPassword: {
    variable: 'KAFKA_PASSWORD',
    byDefault: 'none',
    means: 'Password of `KAFKA_USERNAME`.',
    secret: true,
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) => {
      const user = environment['KAFKA_USERNAME']?.trim() ?? '';
      if ((text === undefined) !== (user === '')) throw new Error('goes together with KAFKA_USERNAME');
      return text;
    },
  },
  kafkaSaslMechanism: {
    variable: 'KAFKA_SASL_MECHANISM',
    byDefault: 'scram-sha-512',
    means: 'How `KAFKA_USERNAME` is proven: `plain`, `scram-sha-256` or `scram-sha-512`.',
    read: setting.word(mechanisms, 'scram-sha-512'),
  },
} as const satisfies Record<string, Setting<unknown>>;

/** The access to Kafka as the event bus takes it. */
export function kafkaAccess({
  kafkaTls: tls,
  kafkaUsername: username,
  kafkaPassword: password,
  kafkaSaslMechanism: mechanism,
}: SettingsOf<typeof kafkaAccessSettings>): Pick<KafkaOptions, 'tls' | 'credentials'> {
  return {
    ...(tls !== false && { tls }),
    ...(username !== undefined && password !== undefined && { credentials: { mechanism, username, password } }),
  };
}
