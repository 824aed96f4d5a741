import { join, resolve } from 'node:path';
import { gatewaySettings } from '@messaging-gateway/gateway';
import { identitySettings } from '@messaging-gateway/identity';
import { outboundSettings } from '@messaging-gateway/outbound';
import { logLevels, readSettings, setting } from '@messaging-gateway/runtime';
import type { Setting, SettingsOf } from '@messaging-gateway/runtime';
import { sessionsSettings } from '@messaging-gateway/sessions';
import { webhooksSettings } from '@messaging-gateway/webhooks';
import { openDataDirectory } from './data-directory.ts';
import type { KeptSecrets } from './data-directory.ts';

const notYet = (text: string | undefined): undefined => {
  if (text !== undefined) throw new Error('must not be set: all services run in this one process, over its own buses');
};

/** What the process needs beside the settings of its services. */
export const standaloneSettings = {
  dataDirectory: {
    variable: 'DATA_DIR',
    byDefault: './data',
    means: 'Folder of everything that is kept: database, session data, secrets made at the first start.',
    read: (text: string | undefined) => resolve(text ?? 'data'),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    byDefault: 'an embedded PostgreSQL under `DATA_DIR`',
    means:
      'PostgreSQL 15 or later: `postgresql://<user>:<password>@<host>:<port>/<database>`. Required with `NODE_ENV=production`.',
    secret: true,
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) => {
      if (text === undefined && environment['NODE_ENV'] === 'production')
        throw new Error('is required with NODE_ENV=production');
      if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) throw new Error('must begin with postgresql://');
      return text;
    },
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    byDefault: 'made at the first start and kept under `DATA_DIR`',
    means: '32 characters; credentials and personal data are encrypted with it at rest.',
    secret: true,
    read: (text: string | undefined) => {
      if (text?.length !== 32) throw new Error('must have exactly 32 characters');
      return text;
    },
  },
  previousEncryptionKeys: {
    variable: 'ENCRYPTION_KEY_PREVIOUS',
    byDefault: 'none',
    means: 'Comma-separated former values of `ENCRYPTION_KEY`: still read, no longer written with.',
    secret: true,
    read: (text: string | undefined) => {
      const keys = setting.list(text);
      if (keys.some((key) => key.length !== 32)) throw new Error('must hold keys of exactly 32 characters');
      return keys;
    },
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    byDefault: 'info',
    means: '`debug`, `info`, `warn` or `error`.',
    read: setting.word(logLevels, 'info'),
  },
  testClockFile: {
    variable: 'TEST_CLOCK_FILE',
    byDefault: 'none',
    means: 'With `NODE_ENV=test` only: a file whose number of milliseconds moves the clock.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) => {
      if (text !== undefined && environment['NODE_ENV'] !== 'test') throw new Error('is for NODE_ENV=test only');
      return text;
    },
  },
  cacheUrl: {
    variable: 'CACHE_URL',
    byDefault: 'none',
    means: 'Not used yet: throttles and caches are in the memory of the one process.',
    read: setting.optionalText,
  },
  amqpUrl: { variable: 'AMQP_URL', byDefault: 'none', means: 'Not supported yet: must not be set.', read: notYet },
  kafkaBrokers: {
    variable: 'KAFKA_BROKERS',
    byDefault: 'none',
    means: 'Not supported yet: must not be set.',
    read: notYet,
  },
} as const satisfies Record<string, Setting<unknown>>;

/** Every table of settings, in the order of the README. */
export const settingsTables = {
  standalone: standaloneSettings,
  gateway: gatewaySettings,
  identity: identitySettings,
  sessions: sessionsSettings,
  outbound: outboundSettings,
  webhooks: webhooksSettings,
} as const;

type Tables = typeof settingsTables;
export type Settings = { readonly [Name in keyof Tables]: SettingsOf<Tables[Name]> } & {
  readonly secrets: KeptSecrets;
};

/**
 * Reads all settings; what an embedded installation lacks is made and kept under the data folder.
 *
 * @throws SettingsFault naming every fault of every table
 */
export function readAllSettings(environment: NodeJS.ProcessEnv): Settings {
  const { dataDirectory } = readSettings({ dataDirectory: standaloneSettings.dataDirectory }, environment);
  const secrets = openDataDirectory(dataDirectory);
  const complete = withKept(environment, dataDirectory, secrets);
  const rows = Object.entries(settingsTables).flatMap(([table, settings]) =>
    Object.entries(settings).map(([name, row]) => [`${table} ${name}`, row as Setting<unknown>] as const),
  );
  const read = readSettings(Object.fromEntries(rows), complete);
  const tables = Object.entries(settingsTables).map(([table, settings]) => [
    table,
    Object.fromEntries(Object.keys(settings).map((name) => [name, read[`${table} ${name}`]])),
  ]);
  return { ...(Object.fromEntries(tables) as Omit<Settings, 'secrets'>), secrets };
}

/** In production secrets are given; otherwise those kept in the data folder fill in. */
function withKept(environment: NodeJS.ProcessEnv, dataDirectory: string, kept: KeptSecrets): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const places = { SESSIONS_DIR: join(dataDirectory, 'sessions'), ENCRYPTION_KEY: kept.encryptionKey };
  if (given['NODE_ENV'] === 'production') return { ...places, ...given };
  return { ...places, JWT_SECRET: kept.jwtSecret, JWT_REFRESH_SECRET: kept.jwtRefreshSecret, ...given };
}
