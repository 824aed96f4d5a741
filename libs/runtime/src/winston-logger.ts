import winston from 'winston';
import type { Logger } from './logger.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof logLevels)[number];

/** Fields that never reach a log, wherever they stand. */
const secretField = /pass(word)?$|secret|token|authorization|api-?key|cookie|^text$|^body$|^qr$|pairingCode/i;

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly json: boolean;
  readonly service?: string;
  /** Told of each error too, with all fields, secret ones among them: it picks those that it may hand on. */
  readonly onError?: Logger['error'];
}

/**
 * A logger on standard output: JSON lines in production, one readable line otherwise.
 * Fields whose names speak of secrets or message texts are left out.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { combine, timestamp, json, printf } = winston.format;
  const cleaned = winston.format((line) => {
    for (const field of Object.keys(line)) if (secretField.test(field)) delete line[field];
    return line;
  });
  const readable = printf(({ timestamp: at, level, message, ...fields }) => {
    const rest = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return [at, level.toUpperCase().padEnd(5), message, ...rest].join(' ');
  });
  const logger = winston.createLogger({
    level: options.level,
    format: combine(cleaned(), timestamp(), options.json ? json() : readable),
    transports: [new winston.transports.Console({ forceConsole: false })],
    ...(options.service !== undefined && { defaultMeta: { service: options.service } }),
  });
  const levels = logLevels.slice(logLevels.indexOf(options.level));
  return shown(logger, levels, options.onError, options.service === undefined ? {} : { service: options.service });
}

/** Winston puts every line into its form before it looks whether anybody sees it: those of other levels do not get there. */
function shown(
  logger: winston.Logger,
  levels: readonly LogLevel[],
  onError: Logger['error'] | undefined,
  given: Readonly<Record<string, unknown>>,
): Logger {
  const line = (level: LogLevel): Logger[LogLevel] =>
    levels.includes(level) ? (message, fields = {}) => void logger[level](message, fields) : () => undefined;
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: (message, fields = {}) => {
      logger.error(message, fields);
      onError?.(message, { ...given, ...fields });
    },
    child: (fields) => shown(logger.child(fields), levels, onError, { ...given, ...fields }),
  };
}

/** Says nothing. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
