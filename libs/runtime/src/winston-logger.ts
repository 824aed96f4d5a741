import winston from 'winston';
import type { Logger } from './logger.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields that never reach a log, wherever they stand. */
const secretField = /pass(word)?$|secret|token|authorization|api-?key|cookie|^text$|^body$|^qr$|pairingCode/i;

/**
 * A logger on standard output: JSON lines in production, one readable line otherwise.
 * Fields whose names speak of secrets or message texts are left out.
 */
export function createLogger(options: { level: LogLevel; json: boolean; service?: string }): Logger {
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
  return shown(logger, logLevels.slice(logLevels.indexOf(options.level)));
}

/** Winston puts every line into its form before it looks whether anybody sees it: those of other levels do not get there. */
function shown(logger: winston.Logger, levels: readonly LogLevel[]): Logger {
  const line = (level: LogLevel): Logger[LogLevel] =>
    levels.includes(level) ? (message, fields = {}) => void logger[level](message, fields) : () => undefined;
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => shown(logger.child(fields), levels),
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
