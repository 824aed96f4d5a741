import { readSettings, required } from '@messaging-gateway/runtime';
import type { Setting, SettingsOf } from '@messaging-gateway/runtime';
import { mediaSettings } from '@messaging-gateway/media';
import { storageSettings } from '@messaging-gateway/service';
import { standaloneSettings } from './config.ts';
import { openDataDirectory } from './data-directory.ts';

const { dataDirectory } = standaloneSettings;
const { databaseUrl, encryptionKey, previousEncryptionKeys } = storageSettings;

/** What an operator's command must know: where the data are, and how they are sealed. */
const commandSettings = {
  dataDirectory,
  databaseUrl,
  encryptionKey: required(encryptionKey),
  previousEncryptionKeys,
  ...mediaSettings,
} as const satisfies Record<string, Setting<unknown>>;

export type CommandSettings = SettingsOf<typeof commandSettings> & { readonly postgresPassword: string };

/**
 * Reads what a command needs. With brokers the installation is distributed: database and key must be given, and
 * nothing is made under the data folder.
 *
 * @throws SettingsFault naming every fault
 */
export function readCommandSettings(environment: NodeJS.ProcessEnv): CommandSettings {
  const isGiven = (variable: string): boolean => (environment[variable]?.trim() ?? '') !== '';
  if (isGiven('AMQP_URL') || isGiven('KAFKA_BROKERS')) {
    const table = { ...commandSettings, databaseUrl: required(databaseUrl) };
    return { ...readSettings(table, environment), postgresPassword: '' };
  }
  const kept = openDataDirectory(readSettings({ dataDirectory }, environment).dataDirectory);
  const complete = isGiven('ENCRYPTION_KEY') ? environment : { ...environment, ENCRYPTION_KEY: kept.encryptionKey };
  return { ...readSettings(commandSettings, complete), postgresPassword: kept.postgresPassword };
}
