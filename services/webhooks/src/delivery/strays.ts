import type { Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { keyOf, type Delivery } from './delivery.ts';
import { claimedBy, freeStrays } from './outstanding.ts';

type Key = Pick<Delivery, 'webhookId' | 'eventId'>;

export interface StraysParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly dispatcherId: () => string;
  readonly inHand: () => ReadonlySet<string>;
}

/** Between the two looks, milliseconds of real time: a claim that is just being answered is in hand by then. */
const apartMs = 5000;

/**
 * Finds deliveries that the table gives to this process and that it does not have: the statement that claimed them
 * was committed, but the connection broke before its answer. Looks only after such a break, and twice.
 */
export class Strays {
  readonly #parts: StraysParts;
  #suspectedAt: number | undefined;
  #suspects: ReadonlySet<string> | undefined;

  constructor(parts: StraysParts) {
    this.#parts = parts;
  }

  /** The database broke off. */
  suspect(): void {
    this.#suspectedAt = performance.now();
    this.#suspects = undefined;
  }

  /** Called now and then. @returns whether any were given back */
  async look(): Promise<boolean> {
    if (this.#suspectedAt === undefined || performance.now() - this.#suspectedAt < apartMs) return false;
    const { sql, clock, dispatcherId, inHand } = this.#parts;
    const held = inHand();
    const unknown = (await claimedBy(sql, dispatcherId())).filter((key) => !held.has(keyOf(key)));
    const before = this.#suspects;
    if (before === undefined) return this.#remember(unknown);
    this.#suspectedAt = undefined;
    this.#suspects = undefined;
    const strays = unknown.filter((key) => before.has(keyOf(key)));
    if (strays.length > 0) await freeStrays(sql, strays, dispatcherId(), clock.now());
    return strays.length > 0;
  }

  #remember(unknown: readonly Key[]): false {
    this.#suspects = new Set(unknown.map(keyOf));
    this.#suspectedAt = unknown.length > 0 ? performance.now() : undefined;
    return false;
  }
}
