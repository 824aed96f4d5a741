import { errorTrackingSettings } from '@messaging-gateway/error-tracking';
import { logLevels, setting, type Setting } from '@messaging-gateway/runtime';
import { tracingSettings } from '@messaging-gateway/tracing';
import { readCertificates } from './certificate-file.ts';

/** Settings of every process, however many services run in it. */
export const processSettings = {
  environment: {
    variable: 'NODE_ENV',
    byDefault: 'development',
    means: '`development`, `production` or `test`.',
    read: setting.word(['development', 'production', 'test'], 'development'),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    byDefault: 'info',
    means: '`debug`, `info`, `warn` or `error`.',
    read: setting.word(logLevels, 'info'),
  },
  extraAuthorities: {
    variable: 'NODE_EXTRA_CA_CERTS',
    byDefault: 'none',
    means:
      'PEM file with authorities to trust beside those that Node.js knows, for every connection with TLS: to PostgreSQL, RabbitMQ, Kafka, Redis, object store, mail server, collector, webhooks. Node.js itself reads it when a process starts.',
    read: (text: string | undefined): string | undefined => (text === undefined ? undefined : readCertificates(text)),
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
  ...errorTrackingSettings,
  ...tracingSettings,
} as const satisfies Record<string, Setting<unknown>>;
