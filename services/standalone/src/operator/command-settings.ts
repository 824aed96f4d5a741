import { encryptionKeys, readSettings, required } from '@messaging-gateway/runtime';
import type { EncryptionKeys, Setting, SettingsOf } from '@messaging-gateway/runtime';
import { mediaSettings } from '@messaging-gateway/media';
import { storageSettings } from '@messaging-gateway/service';
import { standaloneSettings } from '../config.ts';
import { keptSecrets, openDataDirectory, secretsFile } from '../data-directory.ts';

const { dataDirectory } = standaloneSettings;
const { databaseUrl, encryptionKey, previousEncryptionKeys } = storageSettings;

/** Settings of an operator's command: where the data are, and how they are sealed. */
const commandSettings = {
  dataDirectory,
  databaseUrl,
  encryptionKey: required(encryptionKey),
  previousEncryptionKeys,
  ...mediaSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type CommandSettings = SettingsOf<typeof commandSettings> & { readonly postgresPassword: string };

const isGiven = (environment: NodeJS.ProcessEnv, variable: string): boolean =>
  (environment[variable]?.trim() ?? '') !== '';

/**
 * Reads what a command needs. With brokers the installation is distributed: database and key must be given, and
 * nothing is made under the data folder.
 *
 * @throws SettingsFault naming every fault
 */
export function readCommandSettings(environment: NodeJS.ProcessEnv): CommandSettings {
  if (isGiven(environment, 'AMQP_URL') || isGiven(environment, 'KAFKA_BROKERS')) {
    const table = { ...commandSettings, databaseUrl: required(databaseUrl) };
    return { ...readSettings(table, environment), postgresPassword: '' };
  }
  const kept = openDataDirectory(readSettings({ dataDirectory }, environment).dataDirectory);
  const complete = isGiven(environment, 'ENCRYPTION_KEY')
    ? environment
    : { ...environment, ENCRYPTION_KEY: kept.encryptionKey };
  return { ...readSettings(commandSettings, complete), postgresPassword: kept.postgresPassword };
}

/** The key that a command would work with, if there is one. Nothing is made. */
export interface GivenKey {
  readonly encryption: EncryptionKeys | undefined;
  /** Advice when there is none, or another one is needed. */
  readonly remedy: string;
}

/** @throws SettingsFault */
export function readGivenKey(environment: NodeJS.ProcessEnv): GivenKey {
  const table = { dataDirectory, encryptionKey, previousEncryptionKeys };
  const settings = readSettings(table, environment);
  const isKept = !isGiven(environment, 'AMQP_URL') && !isGiven(environment, 'KAFKA_BROKERS');
  const kept = isKept ? keptSecrets(settings.dataDirectory)?.encryptionKey : undefined;
  const key = settings.encryptionKey ?? kept;
  return {
    encryption: key === undefined ? undefined : encryptionKeys(key, settings.previousEncryptionKeys),
    remedy:
      settings.encryptionKey === undefined && isKept
        ? `Put the secrets.json of that installation there as ${secretsFile(settings.dataDirectory)}, or give its key as ENCRYPTION_KEY.`
        : 'Give its key as ENCRYPTION_KEY.',
  };
}
