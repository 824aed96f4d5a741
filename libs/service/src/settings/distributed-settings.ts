import { mediaSettings } from '@messaging-gateway/media';
import { required, setting, type Setting } from '@messaging-gateway/runtime';
import { brokerSettings } from './broker-settings.ts';
import { processSettings } from './process-settings.ts';
import { retentionSettings, storageSettings } from './storage-settings.ts';

/** Settings of each process of a distributed installation, beside those of its service. */
export const distributedSettings = {
  ...processSettings,
  databaseUrl: required(storageSettings.databaseUrl),
  cacheUrl: required(storageSettings.cacheUrl),
  ...brokerSettings,
  amqpUrl: required(brokerSettings.amqpUrl),
  kafkaBrokers: required(brokerSettings.kafkaBrokers),
  ...mediaSettings,
  healthPort: {
    variable: 'HEALTH_PORT',
    byDefault: 'its own for each service',
    means:
      'Port of `/health`, `/ready`, `/serving` and `/metrics` of a service in a process of its own; 0: any free one.',
    read: (text: string | undefined): number | undefined =>
      text === undefined ? undefined : setting.integer(0, 0, 65_535)(text),
  },
  healthHost: {
    variable: 'HEALTH_HOST',
    byDefault: '0.0.0.0',
    means: 'Address that `HEALTH_PORT` binds to.',
    read: setting.text('0.0.0.0'),
  },
} as const satisfies Record<string, Setting<unknown>>;

/** Settings of a process that keeps a journal, beside those. */
export const journalSettings = {
  encryptionKey: required(storageSettings.encryptionKey),
  previousEncryptionKeys: storageSettings.previousEncryptionKeys,
  ...retentionSettings,
} as const satisfies Record<string, Setting<unknown>>;
