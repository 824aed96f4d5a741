import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { KnownNumber } from '../engine/engine.ts';

/** The network takes accounts that ask about many numbers in a hurry for spammers; milliseconds. */
const betweenMs = 1000;

/** Questions about numbers, one after the other and not too fast. */
export class NumberChecks {
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks when its turn has come.
   *
   * @param deadline milliseconds since 1970: not asked later
   * @throws Refused ENGINE_TIMEOUT
   */
  inTurn(ask: () => Promise<readonly KnownNumber[]>, deadline: number): Promise<readonly KnownNumber[]> {
    const turn = this.#last.then(async () => {
      const now = this.#clock.now();
      if (Math.max(this.#next, now) >= deadline)
        throw new Refused('ENGINE_TIMEOUT', 'Too many numbers are waiting to be checked.');
      if (this.#next > now) await this.#clock.sleep(this.#next - now);
      this.#next = this.#clock.now() + betweenMs;
      return ask();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
