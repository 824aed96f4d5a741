import { newId } from './ids.ts';

/** A lock of localStorage holds so long unless it is renewed, milliseconds. */
const leaseMs = 10_000;
/** So long others may need to see what was written, milliseconds. */
const settleMs = 150;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The browser's Web Locks: undefined on plain HTTP. */
const locks = (): LockManager | undefined => (navigator as { readonly locks?: LockManager }).locks;

/**
 * Runs work that only one tab of this browser may do at a time. Where there are no Web Locks (plain HTTP), a lease in
 * localStorage takes their place: should a tab die, the next one goes on after ten seconds.
 *
 * @param signal ends the waiting, not the work
 */
export async function exclusively<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const held = locks();
  if (held !== undefined) return held.request<Promise<T>>(`gateway.${name}`, signal ? { signal } : {}, () => work());
  const lease = new Lease(`gateway.lock.${name}`);
  await lease.take(signal);
  const renewing = setInterval(() => lease.renew(), leaseMs / 4);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    lease.release();
  }
}

class Lease {
  readonly #key: string;
  readonly #me = newId();

  constructor(key: string) {
    this.#key = key;
  }

  async take(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      if (!this.#taken()) {
        this.renew();
        await pause(settleMs);
        if (this.#holder() === this.#me) return;
      }
      await pause(settleMs + Math.random() * settleMs);
    }
  }

  renew(): void {
    localStorage.setItem(this.#key, `${this.#me} ${Date.now() + leaseMs}`);
  }

  release(): void {
    if (this.#holder() === this.#me) localStorage.removeItem(this.#key);
  }

  #holder(): string | undefined {
    return localStorage.getItem(this.#key)?.split(' ')[0];
  }

  #taken(): boolean {
    const [holder, until] = localStorage.getItem(this.#key)?.split(' ') ?? [];
    const left = Number(until) - Date.now();
    return holder !== this.#me && left > 0 && left <= leaseMs;
  }
}
