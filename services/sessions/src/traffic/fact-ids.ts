import type { Clock } from '@messaging-gateway/runtime';
import type { Table, SessionData } from '../session-data/session-data-store.ts';

/**
 * Ids of one table that rise with time, also over restarts and clocks that are put back: microseconds, and one more for
 * each of the same moment.
 */
export class FactIds {
  readonly #clock: Clock;
  #last: number;

  private constructor(clock: Clock, last: number) {
    this.#clock = clock;
    this.#last = last;
  }

  /** Goes on behind what lies in the table. */
  static async behind(data: SessionData, table: Exclude<Table, 'signal'>, clock: Clock): Promise<FactIds> {
    return new FactIds(clock, Number((await data.last(table)) ?? 0));
  }

  next(): string {
    this.#last = Math.max(this.#last + 1, this.#clock.now() * 1000);
    return String(this.#last).padStart(17, '0');
  }
}

/** When an id was given, milliseconds since 1970. */
export const timeOf = (id: string): number => Math.floor(Number(id) / 1000);
