import type { Clock, Logger } from '@messaging-gateway/runtime';
import { Gathering, type Sql } from '@messaging-gateway/service';
import { keepSettlements, type ReceiverState, type Settlement } from './settling.ts';

export interface OutcomesParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly dispatcherId: () => string;
  readonly onKept: (settlements: readonly Settlement[], states: readonly ReceiverState[]) => void;
  /** The process stops and the database is away. */
  readonly ended: () => boolean;
}

const batchLimit = 200;
const tryAgainMs = 500;

/** Writes down what came of deliveries, many at once. */
export class Outcomes {
  readonly #parts: OutcomesParts;
  readonly #gathering: Gathering<Settlement, void>;

  constructor(parts: OutcomesParts) {
    this.#parts = parts;
    this.#gathering = new Gathering((settlements) => this.#keep(settlements), batchLimit);
  }

  /** Keeps at it until the database is there: what has arrived must not be sent again. */
  async settle(settlement: Settlement): Promise<void> {
    const { webhookId, eventId } = settlement.delivery;
    for (;;) {
      try {
        return await this.#gathering.add(settlement);
      } catch (error) {
        this.#parts.log.warn('Outcome of a delivery not kept yet', { webhookId, eventId, reason: String(error) });
        if (this.#parts.ended()) return;
        await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
      }
    }
  }

  idle(): Promise<void> {
    return this.#gathering.idle();
  }

  async #keep(settlements: readonly Settlement[]): Promise<void[]> {
    const { sql, clock, dispatcherId, onKept } = this.#parts;
    const states = await keepSettlements(sql, settlements, dispatcherId(), clock.now());
    onKept(settlements, states);
    return settlements.map(() => undefined);
  }
}
