import { join, resolve } from 'node:path';
import { mediaSettings } from '@messaging-gateway/media';
import { isWeak, readSettings, readSettingsTables, required } from '@messaging-gateway/runtime';
import type { Setting, SettingsOfTables } from '@messaging-gateway/runtime';
import { brokerSettings, processSettings, storageSettings } from '@messaging-gateway/service';
import { settingsTables as tablesOfServices } from '../../registry.ts';
import { hasDatabase, openDataDirectory } from './data-directory.ts';
import type { KeptSecrets } from './data-directory.ts';

/** In production what holds the data is given and not made (`docs/decisions/0276-production-needs-its-stores.md`). */
const givenInProduction = <T>(row: Setting<T | undefined>): Setting<T | undefined> => ({
  ...row,
  read: (text, environment) => {
    if (text === undefined && environment['NODE_ENV'] === 'production')
      throw new Error('is required with NODE_ENV=production');
    return row.read(text, environment);
  },
});

/** Which of both brokers is given tells whether another program is meant or a variable was forgotten. */
const noBroker = <T>(row: Setting<T>, other: string): Setting<undefined> => ({
  ...row,
  read: (text, environment) => {
    if (text === undefined) return undefined;
    if (!environment[other]?.trim()) throw new Error(`is set without ${other}: give both, or none`);
    throw new Error(
      'is for services in processes of their own: run `npm run start:distributed`, or one of them, such as `node services/outbound/src/main.ts`',
    );
  },
});

/** A weak key is refused where nothing is sealed with it yet; later that would lock everybody out. */
const strongAtFirst = (row: Setting<string>): Setting<string> => ({
  ...row,
  read: (text, environment) => {
    const key = row.read(text, environment);
    const isGivenDatabase = (environment['DATABASE_URL']?.trim() ?? '') !== '';
    const directory = standaloneSettings.dataDirectory.read(environment['DATA_DIR']?.trim() || undefined);
    if (isWeak(key) && !isGivenDatabase && !hasDatabase(directory))
      throw new Error('is too weak: use random characters, for example from `openssl rand -hex 16`');
    return key;
  },
});

/** Settings of the single process, beside those of its services. */
export const standaloneSettings = {
  dataDirectory: {
    variable: 'DATA_DIR',
    byDefault: './data',
    means: 'Folder of everything that is kept: database, session data, secrets made at the first start.',
    read: (text: string | undefined) => resolve(text ?? 'data'),
  },
  ...storageSettings,
  databaseUrl: givenInProduction(storageSettings.databaseUrl),
  cacheUrl: givenInProduction(storageSettings.cacheUrl),
  encryptionKey: strongAtFirst(required(storageSettings.encryptionKey)),
  ...mediaSettings,
  ...processSettings,
  amqpUrl: noBroker(brokerSettings.amqpUrl, 'KAFKA_BROKERS'),
  kafkaBrokers: noBroker(brokerSettings.kafkaBrokers, 'AMQP_URL'),
} as const satisfies Record<string, Setting<unknown>>;

/** Every table of settings, in the order of docs/configuration.md. */
export const settingsTables = {
  standalone: standaloneSettings,
  ...tablesOfServices,
} as const;

export type Settings = SettingsOfTables<typeof settingsTables> & { readonly secrets: KeptSecrets };

/**
 * Reads all settings; what an embedded installation lacks is made and kept under the data folder.
 *
 * @throws SettingsFault naming every fault of every table
 */
export function readAllSettings(environment: NodeJS.ProcessEnv): Settings {
  const { dataDirectory } = readSettings({ dataDirectory: standaloneSettings.dataDirectory }, environment);
  const secrets = openDataDirectory(dataDirectory);
  return { ...readSettingsTables(settingsTables, withKept(environment, dataDirectory, secrets)), secrets };
}

/** In production secrets are given; otherwise those kept in the data folder fill in. */
function withKept(environment: NodeJS.ProcessEnv, dataDirectory: string, kept: KeptSecrets): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const places = { SESSIONS_DIR: join(dataDirectory, 'sessions'), ENCRYPTION_KEY: kept.encryptionKey };
  if (given['NODE_ENV'] === 'production') return { ...places, ...given };
  return { ...places, JWT_SECRET: kept.jwtSecret, JWT_REFRESH_SECRET: kept.jwtRefreshSecret, ...given };
}
