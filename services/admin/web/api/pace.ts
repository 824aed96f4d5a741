/** Limits of the API that every request counts against; those of logins and passwords hold nothing else up. */
const general = new Set(['global', 'credential', 'short', 'medium', 'long']);

/** Requests that one limit leaves, and when it begins anew (milliseconds since 1970). */
interface Left {
  count: number;
  resetAt: number;
}

/**
 * Keeps reads within the throttles: it notes what `RateLimit` headers say, and says how long the next read should wait.
 * Writes never wait: somebody waits for them.
 */
export class Pace {
  readonly #left = new Map<string, Left>();

  /** @param header for example `"credential"; r=57; t=12, "global"; r=900; t=40` */
  note(header: string | null, now: number): void {
    for (const [, name = '', parts = ''] of (header ?? '').matchAll(/"([^"]+)"([^,]*)/g)) {
      const count = Number(/\br=(\d+)/.exec(parts)?.[1] ?? Number.NaN);
      const seconds = Number(/\bt=(\d+)/.exec(parts)?.[1] ?? Number.NaN);
      if (general.has(name) && Number.isFinite(count + seconds))
        this.#left.set(name, { count, resetAt: now + seconds * 1000 });
    }
  }

  /** Counts a request that is about to leave. @returns milliseconds that a read should wait before it asks again */
  take(now: number): number {
    const wait = this.wait(now);
    if (wait > 0) return wait;
    for (const left of this.#left.values()) left.count -= 1;
    return 0;
  }

  /** Milliseconds until a read may leave. A few requests are kept for writes. */
  wait(now: number): number {
    const waits = [...this.#left.values()].map((left) => (left.count <= kept ? left.resetAt - now : 0));
    return Math.max(0, ...waits);
  }
}

const kept = 3;

/** The pace of this tab. */
export const pace = new Pace();
