import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys';
import type { SignalState } from '../signal/signal-state.ts';

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
 * What the library calls a transaction, without its memory of changes: ratchets are written by the repository, and
 * everything else at once. The library's own transactions lose whatever is set in one that has ended, by work that it
 * started and did not wait for; the time of the last privacy token is, so that it would ask for one with each message.
 * One holder of a key at a time, who may enter again, is what is left.
 */
export function libraryTransactions(state: SignalState): SignalKeyStoreWithTransaction {
  const turns = new Turns();
  const holds = (key: string): boolean => {
    const held = holding.getStore();
    return held !== undefined && !held.isOver && held.turns === turns && held.key === key;
  };
  return {
    get: (type, ids) => state.get(type, ids),
    set: (values) => state.set(values),
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
