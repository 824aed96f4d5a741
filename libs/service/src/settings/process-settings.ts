import { logLevels, setting, type Setting } from '@messaging-gateway/runtime';
import { tracingSettings } from '@messaging-gateway/tracing';

/** What every process takes, however many services run in it. */
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
  testClockFile: {
    variable: 'TEST_CLOCK_FILE',
    byDefault: 'none',
    means: 'With `NODE_ENV=test` only: a file whose number of milliseconds moves the clock.',
    read: (text: string | undefined, environment: NodeJS.ProcessEnv) => {
      if (text !== undefined && environment['NODE_ENV'] !== 'test') throw new Error('is for NODE_ENV=test only');
      return text;
    },
  },
  ...tracingSettings,
} as const satisfies Record<string, Setting<unknown>>;
