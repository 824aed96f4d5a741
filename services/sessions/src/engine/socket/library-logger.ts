import type { Logger } from '@messaging-gateway/runtime';

/** The part of pino's interface that the client library uses. */
export interface LibraryLogger {
  level: string;
  child(fields: Record<string, unknown>): LibraryLogger;
  trace(fields: unknown, message?: string): void;
  debug(fields: unknown, message?: string): void;
  info(fields: unknown, message?: string): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
}

/**
 * Passes on warnings and errors of the library as debug lines: their sentence and the error's message only, since the
 * fields hold addresses, stanzas and keys.
 */
export function libraryLogger(log: Logger): LibraryLogger {
  const tell = (fields: unknown, message?: string): void => {
    const sentence = typeof fields === 'string' ? fields : message;
    log.debug('client library', { says: sentence, because: reasonOf(fields) });
  };
  const quiet = (): void => undefined;
  const logger: LibraryLogger = {
    level: 'warn',
    child: () => logger,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: tell,
    error: tell,
  };
  return logger;
}

function reasonOf(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const { err, error } = fields as { err?: unknown; error?: unknown };
  const reason = err ?? error;
  // Messages of failed queries can name an address.
  return reason instanceof Error ? reason.message.replaceAll(/\d{5,}/g, '…') : undefined;
}
