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

/** Lines of one connection in a while, milliseconds: a storm of messages that cannot be read says the same each time. */
const linesAtMost = 20;
const whileMs = 10_000;

/**
 * Passes on warnings and errors of the library as debug lines: their sentence and the error's message only, since the
 * fields hold addresses, stanzas and keys; and so many in a while, with a count of those left out.
 */
export function libraryLogger(log: Logger): LibraryLogger {
  let [began, lines, leftOut] = [0, 0, 0];
  const isTold = (): boolean => {
    const now = performance.now();
    if (now - began > whileMs) {
      if (leftOut > 0) log.debug('client library', { says: 'lines left out', count: leftOut });
      [began, lines, leftOut] = [now, 0, 0];
    }
    lines += 1;
    if (lines > linesAtMost) leftOut += 1;
    return lines <= linesAtMost;
  };
  const tell = (fields: unknown, message?: string): void => {
    if (!isTold()) return;
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

/** How lines begin that the Signal library prints: some hold whole sessions with private keys. */
const beginnings = [
  'Closing session',
  'Opening session',
  'Removing old closed session',
  'Session already',
  'Migrating session to',
  'V1 session storage migration',
  'Closing open session',
  'Closing stale open session',
  'Decrypted message with closed session',
  'Failed to decrypt message with any known session',
  'Session error',
  'Unhandled bucket type',
  'WARNING: Expected pubkey',
];

let isQuiet = false;

/** Keeps the Signal library from printing. It knows no logger and writes to the console of the process. */
export function quietSignal(): void {
  if (isQuiet) return;
  isQuiet = true;
  for (const method of ['info', 'warn', 'error', 'log'] as const) {
    const print = console[method].bind(console);
    console[method] = (...parts: unknown[]) => {
      const [first] = parts;
      if (typeof first === 'string' && beginnings.some((beginning) => first.startsWith(beginning))) return;
      print(...parts);
    };
  }
}
