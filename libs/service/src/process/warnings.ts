import type { Logger } from '@messaging-gateway/runtime';

/** A library's timer that is due already: the runtime lets it run at once, which is what was meant. */
const harmless: ReadonlySet<string> = new Set(['TimeoutNegativeWarning']);

/** Makes warnings of the runtime lines of the log like any other, and not a text between them. */
export function logWarnings(log: Pick<Logger, 'debug' | 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => {
    const level = harmless.has(name) ? 'debug' : 'warn';
    log[level]('Warning of the runtime', { name, reason: message, stack });
  });
}
