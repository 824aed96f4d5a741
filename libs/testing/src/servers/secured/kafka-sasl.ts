import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secured } from '../server.ts';

export type KafkaProperties = Readonly<Record<string, string | number | boolean>>;

const listener = 'SECURED';
const own = `listener.name.${listener.toLowerCase()}`;
const modules = 'org.apache.kafka.common.security';

/** A broker with a further listener, which asks for TLS and for a user by any of three mechanisms. */
export function withSasl(plain: KafkaProperties, folder: string, port: number, secured: Secured): KafkaProperties {
  const keyStore = join(folder, 'key-store.pem');
  writeFileSync(keyStore, secured.key + secured.certificate, { mode: 0o600 });
  const further = (name: string, value: string): KafkaProperties => ({ [name]: `${plain[name]},${value}` });
  const users = `user_${secured.user}="${secured.password}"`;
  return {
    ...plain,
    ...further('listeners', `${listener}://127.0.0.1:${port}`),
    ...further('advertised.listeners', `${listener}://127.0.0.1:${port}`),
    ...further('listener.security.protocol.map', `${listener}:SASL_SSL`),
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyStore,
    [`${own}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    [`${own}.plain.sasl.jaas.config`]: `${modules}.plain.PlainLoginModule required ${users};`,
    [`${own}.scram-sha-256.sasl.jaas.config`]: `${modules}.scram.ScramLoginModule required;`,
    [`${own}.scram-sha-512.sasl.jaas.config`]: `${modules}.scram.ScramLoginModule required;`,
  };
}

/** Arguments with which a broker's storage is formatted: its users by SCRAM are in its metadata. */
export const scramUsers = ({ user, password }: Secured): readonly string[] =>
  ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${user},password=${password}]`,
  ]);
