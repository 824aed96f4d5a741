import type { Clock } from '@messaging-gateway/runtime';
import type { LoginTurns, Rank } from './login-turns.ts';

/**
 * Why a connection begins: somebody wants it; its process is gone; or its replica has handed it over, and nobody need
 * hear of the moment between.
 */
export type Beginning = 'wanted' | 'resumed' | 'handed-over';

export const rankOf: Readonly<Record<Beginning, Rank>> = { wanted: 'first', resumed: 'again', 'handed-over': 'now' };

export interface LoginParts {
  readonly organizationId: string;
  readonly turns: LoginTurns;
  readonly clock: Clock;
  readonly begin: () => Promise<void>;
}

/** A connection that lasted so long starts anew with the shortest wait. */
const lastedMs = 10_000;

/** When one profile logs in: in its turn, and again after a while when it failed. */
export class Login {
  readonly #parts: LoginParts;
  #cancelTurn: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #isWaiting = false;
  #begun = Promise.withResolvers<void>();
  #failures = 0;
  #openedAt = 0;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** Whether the login's turn has not come yet. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Resolves when it has begun, or was given up. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Whether the last one failed. */
  get isRepeated(): boolean {
    return this.#failures > 0;
  }

  /** For the first time. */
  first(rank: Rank): void {
    this.#failures = 0;
    this.ask(rank);
  }

  /** Asks for a turn, or for an earlier one. */
  ask(rank: Rank): void {
    const { turns, organizationId, begin } = this.#parts;
    this.#cancelRetry();
    this.#cancelTurn();
    if (!this.#isWaiting) this.#begun = Promise.withResolvers<void>();
    this.#isWaiting = true;
    const { resolve } = this.#begun;
    this.#cancelTurn = turns.ask(organizationId, rank, () => {
      this.#isWaiting = false;
      void begin().then(resolve, resolve);
    });
  }

  /** The network asks for another one at once. */
  goesOn(): void {
    this.#parts.turns.ask(this.#parts.organizationId, 'now', () => undefined);
  }

  /** @param more steps of the backoff to begin with */
  later(more: number): void {
    const { clock } = this.#parts;
    const wait = backoffMs(this.#failures + more);
    this.#failures += 1;
    this.#cancelRetry = clock.at(clock.now() + wait, () => this.ask('again'));
  }

  opened(): void {
    this.#openedAt = this.#parts.clock.now();
  }

  ended(): void {
    if (this.#openedAt > 0 && this.#parts.clock.now() - this.#openedAt > lastedMs) this.#failures = 0;
    this.#openedAt = 0;
  }

  giveUp(): void {
    this.#cancelRetry();
    this.#cancelTurn();
    this.#isWaiting = false;
    this.#begun.resolve();
  }
}

const firstMs = 500;
const mostMs = 60_000;

/** How long to wait before the next attempt, milliseconds: doubles with each, up to a minute, with jitter of a half. */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 20));
  return Math.round(whole * (0.5 + random / 2));
}
