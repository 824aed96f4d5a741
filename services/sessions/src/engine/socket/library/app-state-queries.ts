import type { LibraryKeys } from '../signal/signal-state.ts';

/** Queries for the same part of the account's state that stay unanswered in a row, at most. */
const maxUnanswered = 3;

/**
 * Ends the library's queries for the account's state when the network does not answer. The library repeats a query that timed out without
 * limit; it reads the version of each part before each query, which is where it is stopped.
 */
export class AppStateQueries {
  readonly #unanswered = new Map<string, number>();

  /** The keys of a session. `get` throws where the library would begin a fourth query after three timeouts. */
  limited(keys: LibraryKeys): LibraryKeys {
    return {
      ...keys,
      get: async (type, ids) => {
        if (type === 'app-state-sync-version') for (const id of ids) this.#begin(id);
        return keys.get(type, ids);
      },
    };
  }

  /** The network answered a query, with a result or an error. */
  readonly answered = (): void => this.#unanswered.clear();

  #begin(part: string): void {
    const unanswered = this.#unanswered.get(part) ?? 0;
    if (unanswered >= maxUnanswered) {
      this.#unanswered.delete(part);
      throw new Error(`The network did not answer ${maxUnanswered} queries for the state of the account.`);
    }
    this.#unanswered.set(part, unanswered + 1);
  }
}
