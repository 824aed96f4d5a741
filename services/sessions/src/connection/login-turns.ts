import type { Clock } from '@messaging-gateway/runtime';
import { FairLine } from '../fairness/fair-line.ts';

/**
 * How long a login may wait for its turn. `now`: it goes on with what is under way (the login after a scan, a hand-over,
 * which has its own pace) and is counted alone. `first`: somebody asked for it. `again`: it was lost, or its process was.
 */
export type Rank = 'now' | 'first' | 'again';

/** So many that were asked for go ahead of those that come again; then one of these has its turn. */
const firstInRow = 4;
/** Logins that went at once hold up those who wait for so long at most, milliseconds. */
const debtMs = 1_000;

/**
 * Logins of this process one after the other at a set rate, so that neither a restart nor a network that was away for a
 * moment ends in a storm of them. Organizations have their turns one by one.
 *
 * @see docs/decisions/0520-every-login-has-its-turn.md
 */
export class LoginTurns {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #first = new FairLine<() => void>();
  readonly #again = new FairLine<() => void>();
  /** When the next one may begin, milliseconds since 1970. */
  #nextAt = 0;
  #inRow = 0;
  #cancelTimer: (() => void) | undefined;

  /** @param perSecond logins begun in a second, at most */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#gapMs = 1000 / perSecond;
  }

  /** Calls back when the login may begin: at once where nobody waits. @returns gives the turn up */
  ask(organizationId: string, rank: Rank, begin: () => void): () => void {
    if (rank === 'now') {
      this.#count();
      begin();
      return () => undefined;
    }
    const leave = (rank === 'first' ? this.#first : this.#again).join(organizationId, begin);
    this.#admit();
    return leave;
  }

  /** Stops: callers that wait are not called any more. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#first.clear();
    this.#again.clear();
  }

  #admit(): void {
    if (this.#cancelTimer !== undefined) return;
    const now = this.#clock.now();
    // The clock may have been set back.
    this.#nextAt = Math.min(this.#nextAt, now + debtMs + this.#gapMs);
    while (now >= this.#nextAt) {
      const begin = this.#next();
      if (begin === undefined) return;
      this.#count();
      begin();
    }
    if (this.#first.length + this.#again.length === 0) return;
    this.#cancelTimer = this.#clock.at(this.#nextAt, () => {
      this.#cancelTimer = undefined;
      this.#admit();
    });
  }

  #next(): (() => void) | undefined {
    const isTurnOfFirst = this.#again.length === 0 || this.#inRow < firstInRow;
    const first = isTurnOfFirst ? this.#first.next() : undefined;
    this.#inRow = first === undefined ? 0 : this.#inRow + 1;
    return first ?? this.#again.next();
  }

  #count(): void {
    const now = this.#clock.now();
    this.#nextAt = Math.min(Math.max(this.#nextAt, now) + this.#gapMs, now + debtMs + this.#gapMs);
  }
}
