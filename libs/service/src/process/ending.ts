import type { Logger } from '@messaging-gateway/runtime';
import { begun, outliveReaders } from './beginning.ts';

/** How long a stop in order may take, milliseconds. */
const usualPatienceMs = 28_000;
/** One Ctrl-C can arrive twice: from the terminal, and from what passes signals on. */
const sameSignalMs = 1_000;

export interface Ending {
  /** Aborted when the process begins to stop. */
  readonly signal: AbortSignal;
  /** Lets a stop take so many milliseconds longer. */
  allow(ms: number): void;
  /** Stops in order and ends the process with this code. */
  end(code: number): Promise<never>;
}

/**
 * Ends the process in order at SIGTERM, at SIGINT and when the process that started it is gone (IPC), with the code 0;
 * after 28 s, or at a second signal, at once with 1. It outlives those who read its output. What nobody has caught is logged and ends the process at once: a
 * restart knows more about its state than this process does.
 *
 * @param told resolves when the error was told elsewhere too, which must not take long
 */
export function endInOrder(
  stop: () => Promise<void>,
  log: Pick<Logger, 'info' | 'error'>,
  told?: () => Promise<void> | undefined,
): Ending {
  const stopping = new AbortController();
  let begunAt = 0;
  let patienceMs = usualPatienceMs;
  outliveReaders();
  const end = async (code: number): Promise<never> => {
    begunAt = performance.now();
    stopping.abort(new Error('The process is stopping.'));
    setTimeout(() => {
      log.error('Not stopped in time', { patienceMs });
      process.exit(1);
    }, patienceMs).unref();
    await stop().catch((error: unknown) => log.error('Not stopped in order', { reason: String(error) }));
    process.exit(code);
  };
  const asked = (why: string): void => {
    if (!stopping.signal.aborted) {
      log.info('Stopping', { why });
      void end(0);
    } else if (performance.now() - begunAt > sameSignalMs) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => asked(signal));
  if (process.channel !== undefined) process.on('disconnect', () => stopping.signal.aborted || asked('parent gone'));
  begun();
  const broken = (what: string) => (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    log.error(what, { reason: message, stack });
    const telling = told?.();
    if (telling === undefined) process.exit(1);
    void telling.finally(() => process.exit(1));
  };
  process.on('unhandledRejection', broken('Unhandled rejection'));
  process.on('uncaughtException', broken('Uncaught exception'));
  const allow = (ms: number): void => void (patienceMs += ms);
  return { signal: stopping.signal, allow, end };
}
