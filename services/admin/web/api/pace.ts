/** Limits of the API that every request counts against; those of logins and passwords hold nothing else up. */
const general = new Set(['global', 'credential', 'short', 'medium', 'long']);

/** Requests that one limit leaves, and when it begins anew (milliseconds since 1970). */
interface Left {
  count: number;
  resetAt: number;
}

/** Where what is known is kept for the next page and for other tabs. */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const key = 'gateway.pace';
/** So many requests are kept for writes. */
const kept = 3;

/**
 * Keeps reads within the throttles: it notes what `RateLimit` headers say, and says how long the next read should wait.
 * Writes never wait: somebody waits for them.
 */
export class Pace {
  readonly #left: Map<string, Left>;
  readonly #store: Store | undefined;
  #flying = 0;

  /** @param store what it holds is where this one begins */
  constructor(store?: Store) {
    this.#store = store;
    this.#left = storedIn(store);
  }

  /** Notes that a request leaves. */
  leave(): void {
    this.#flying += 1;
  }

  /**
   * Notes that a request was answered, or will not be. What others that are on their way will use is not left, whatever the answer says.
   *
   * @param header for example `"credential"; r=57; t=12, "global"; r=900; t=40`; null: it says nothing
   */
  arrive(header: string | null, now: number): void {
    this.#flying = Math.max(0, this.#flying - 1);
    for (const [, name = '', parts = ''] of (header ?? '').matchAll(/"([^"]+)"([^,]*)/g)) {
      const count = Number(/\br=(\d+)/.exec(parts)?.[1] ?? Number.NaN);
      const seconds = Number(/\bt=(\d+)/.exec(parts)?.[1] ?? Number.NaN);
      if (general.has(name) && Number.isFinite(count + seconds))
        this.#left.set(name, { count: count - this.#flying, resetAt: now + seconds * 1000 });
    }
    this.#store?.setItem(key, JSON.stringify([...this.#left]));
  }

  /** Counts a request that is about to leave. @returns milliseconds that a read should wait before it asks again */
  take(now: number): number {
    const wait = this.wait(now);
    if (wait > 0) return wait;
    for (const left of this.#left.values()) left.count -= 1;
    return 0;
  }

  /** Milliseconds until a read may leave. */
  wait(now: number): number {
    const waits = [...this.#left.values()].map((left) => (left.count <= kept ? left.resetAt - now : 0));
    return Math.max(0, ...waits);
  }

  /** Somebody else asks from now on: what was left to whoever asked before does not matter. */
  forget(): void {
    this.#left.clear();
    this.#store?.removeItem(key);
  }
}

function storedIn(store: Store | undefined): Map<string, Left> {
  try {
    return new Map(JSON.parse(store?.getItem(key) ?? '[]') as [string, Left][]);
  } catch {
    return new Map();
  }
}

/** The pace of this tab. It begins with what the page before, or another tab, has heard. */
export const pace = new Pace((globalThis as { readonly localStorage?: Storage }).localStorage);
