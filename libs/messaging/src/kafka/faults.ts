import type { Logger } from '@messaging-gateway/runtime';

/** Faults that hold up broker or database now: for readiness, and a line in the log when each begins and ends. */
export class Faults {
  readonly #log: Logger;
  readonly #open = new Map<string, { readonly reason: string; readonly since: number }>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** By who waits: why. */
  get reasons(): ReadonlyMap<string, string> {
    return new Map([...this.#open].map(([who, { reason }]) => [who, reason]));
  }

  began(who: string, error: unknown): void {
    const reason = String(error);
    const known = this.#open.get(who);
    if (known?.reason === reason) return;
    this.#open.set(who, { reason, since: known?.since ?? performance.now() });
    this.#log.warn('Events held up', { who, reason });
  }

  over(who: string): void {
    const fault = this.#open.get(who);
    if (fault === undefined) return;
    this.#open.delete(who);
    this.#log.info('Events flow again', { who, afterMs: Math.round(performance.now() - fault.since) });
  }
}
