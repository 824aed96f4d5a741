import type { Held } from './holder.ts';

/** Connects profiles one after the other at a set rate, so that a taken-over process is no storm of logins. */
export class Wave {
  readonly #gapMs: number;
  #waiting: Held[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param perSecond logins begun in a second, at most */
  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond;
  }

  add(held: Held): void {
    this.#waiting.push(held);
    this.#timer ??= setTimeout(() => this.#next(), 0);
  }

  /** What waits is not connected any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #next(): void {
    const held = this.#waiting.shift();
    this.#timer = held === undefined ? undefined : setTimeout(() => this.#next(), this.#gapMs);
    if (held?.isLeft === false && !held.isResting) void held.connection.connect('resumed').catch(() => undefined);
  }
}
