import type { Clock } from '@messaging-gateway/runtime';

/** How often it looks without being told: another replica may have given something back. */
const lookAgainMs = 1000;
const afterFailureMs = 1000;

/** Calls for a look at the deliveries that wait whenever one may be due; one look at a time. */
export class DueTimer {
  readonly #clock: Clock;
  readonly #look: () => Promise<number | undefined>;
  #cancel = (): void => undefined;
  #nextAt = Infinity;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  /** @param look looks and returns when the next delivery is due, milliseconds since 1970; must not throw for long */
  constructor(clock: Clock, look: () => Promise<number | undefined>) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Looks for due work now. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#run().finally(() => (this.#looking = undefined));
  }

  /** Looks for due work at a time. */
  wakeAt(time: number): void {
    if (time <= this.#clock.now()) this.wake();
    else if (time < this.#nextAt) this.#arm(time);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#looking;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      // What is told during the look arms the clock anew, so the old time must not stand in its way.
      this.#nextAt = Infinity;
      const due = await this.#look().catch(() => this.#clock.now() + afterFailureMs);
      const next = Math.min(due ?? Infinity, this.#clock.now() + lookAgainMs);
      if (next < this.#nextAt) this.#arm(next);
    }
  }

  #arm(time: number): void {
    this.#cancel();
    if (this.#stopped) return;
    this.#nextAt = time;
    this.#cancel = this.#clock.at(time, () => this.wake());
  }
}
