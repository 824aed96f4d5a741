import { AsyncLocalStorage } from 'node:async_hooks';
import crypto, { createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Logger } from '@messaging-gateway/runtime';
import type { SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys';
import type { LibraryKeys } from '../signal/signal-state.ts';

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

interface Holding {
  readonly turns: Turns;
  readonly key: string;
  isOver: boolean;
}

const holding = new AsyncLocalStorage<Holding>();

/** One at a time for each key. */
class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const run = before.then(work, work);
    this.#last.set(key, run);
    const clear = (): void => {
      if (this.#last.get(key) === run) this.#last.delete(key);
    };
    run.then(clear, clear);
    return run;
  }
}

/**
 * The library's transactions, without its memory of changes: ratchets are written by the repository, and
 * everything else at once. The library's own transactions lose whatever is set in one that has ended, by work that it
 * started and did not wait for; the time of the last privacy token is, so that it would ask for one with each message.
 * One holder of a key at a time, who may enter again, is what is left.
 */
export function libraryTransactions(keys: LibraryKeys): SignalKeyStoreWithTransaction {
  const turns = new Turns();
  const holds = (key: string): boolean => {
    const held = holding.getStore();
    return held !== undefined && !held.isOver && held.turns === turns && held.key === key;
  };
  return {
    get: (type, ids) => keys.get(type, ids),
    set: (values) => keys.set(values),
    isInTransaction: () => holding.getStore()?.isOver === false,
    transaction: (work, key) => {
      if (holds(key)) return work();
      return turns.take(key, async () => {
        const held: Holding = { turns, key, isOver: false };
        try {
          return await holding.run(held, work);
        } finally {
          held.isOver = true;
        }
      });
    },
  };
}

const keyed = ['createHmac', 'createCipheriv', 'createDecipheriv'] as const;
const isWrapped = Symbol.for('messaging-gateway keys as objects');

/**
 * Hands keys that are bytes to Node.js as key objects, in the whole process. Node.js finds out that bytes are no key object
 * by two exceptions, which take several times as long as the cipher; the client library has some twenty such keys
 * for each message, and offers no place where they could be made objects.
 *
 * @see docs/decisions/0611-keys-as-objects.md
 */
export function keysAsObjects(): void {
  for (const name of keyed) {
    const made = crypto[name];
    if (isWrapped in made) continue;
    const wrapped = new Proxy(made, {
      apply: (target, self, [algorithm, key, ...others]: unknown[]): unknown =>
        Reflect.apply(target, self, [algorithm, asObject(key), ...others]),
      has: (target, property) => property === isWrapped || property in target,
    });
    Object.assign(crypto, { [name]: wrapped });
  }
  syncBuiltinESMExports();
}

const asObject = (key: unknown): unknown =>
  key instanceof Uint8Array && key.byteLength > 0 ? createSecretKey(key) : key;
