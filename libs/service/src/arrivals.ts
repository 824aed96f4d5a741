import type { Clock } from '@messaging-gateway/runtime';

/** How often a waiting reader looks although nothing arrived in this process: another replica may have written something. */
const lookAgainMs = 1000;

/** Lets readers wait for what comes for their organization. */
export class Arrivals {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wakes those who wait for news of these organizations. */
  tell(organizations: Iterable<string>): void {
    if (this.#waiting.size === 0) return;
    for (const organization of organizations) {
      for (const wake of this.#waiting.get(organization) ?? []) wake();
    }
  }

  /**
   * Takes looks until one finds something or the time is over.
   *
   * @param until milliseconds since 1970
   * @param look undefined: nothing yet
   * @returns undefined when nothing came in time, or at a stop
   */
  async waitFor<T>(organization: string, until: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const waiting = this.#waiting.get(organization) ?? new Set();
    this.#waiting.set(organization, waiting);
    let arrived = Promise.withResolvers<void>();
    const wake = (): void => arrived.resolve();
    waiting.add(wake);
    try {
      for (;;) {
        const found = await look();
        const now = this.#clock.now();
        if (found !== undefined || now >= until || this.#stopped) return found;
        const cancel = this.#clock.at(Math.min(until, now + lookAgainMs), wake);
        await arrived.promise;
        cancel();
        arrived = Promise.withResolvers<void>();
      }
    } finally {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(organization);
    }
  }

  /** Everyone who waits is answered. */
  stop(): void {
    this.#stopped = true;
    this.tell([...this.#waiting.keys()]);
  }
}
