import { existsSync } from 'node:fs';
import { lastWordsMs, type ErrorTracking } from '@messaging-gateway/error-tracking';
import { endInOrder, errorTrackingOf, logWarnings, sayFirst } from '@messaging-gateway/service';
import { createLogger, isWeak, type Logger } from '@messaging-gateway/runtime';
import { readAllSettings, settingsTables } from './config.ts';
import { startStandalone } from './standalone.ts';
import type { Standalone } from './standalone.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let started: Promise<Standalone> | undefined;
let tracking: ErrorTracking | undefined;
const onError: Logger['error'] = (message, fields = {}) => tracking?.tell(message, fields);
const log = createLogger({ level: 'info', json: process.env['NODE_ENV'] === 'production', onError });
const stop = async (): Promise<void> => {
  await (await started?.catch(() => undefined))?.stop();
  await tracking?.stop();
};
logWarnings(log);
const ending = endInOrder(
  stop,
  { info: () => say('Stopping …'), error: (message, fields) => log.error(message, fields) },
  () => tracking?.stop(lastWordsMs),
);

try {
  const settings = readAllSettings(process.env);
  tracking = errorTrackingOf({ ...settings.standalone, environment: settings.gateway.environment });
  sayFirst(log, settingsTables, {
    mode: 'standalone',
    brokers: 'none',
    database: settings.standalone.databaseUrl === undefined ? 'embedded' : 'given',
    environment: settings.gateway.environment,
    registration: settings.identity.registration,
    trustProxy: settings.gateway.trustProxy,
  });
  if (existsSync('.env'))
    log.info('.env is for Docker Compose and not read here: variables are taken from the environment');
  if (isWeak(settings.standalone.encryptionKey))
    log.warn('ENCRYPTION_KEY is weak: take a random one, with this one in ENCRYPTION_KEY_PREVIOUS');
  if (process.getuid?.() === 0 && (settings.gateway.port === 0 || settings.gateway.port >= 1024))
    log.warn('This process runs as root and does not need to: give it a user of its own');
  ending.allow(settings.gateway.shutdownDelaySeconds * 1000);
  started = startStandalone(settings, { signal: ending.signal, onError });
  const { port } = await started;
  const host = `http://localhost:${port}`;
  say(`Ready. API ${host}/api/v1   documentation ${host}/api/docs   data ${settings.standalone.dataDirectory}`);
} catch (error) {
  if (!ending.signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
