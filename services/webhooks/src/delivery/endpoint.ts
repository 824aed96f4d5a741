import { Breaker } from './breaker.ts';
import type { Delivery } from './delivery.ts';

/** Deliveries in hand for one webhook, at most; more wait in the table. */
const handful = 100;

/** One webhook's deliveries in this process: what is in hand, what is under way, how its receiver stands. */
export class Endpoint {
  readonly webhookId: string;
  readonly breaker = new Breaker();
  readonly queue: Delivery[] = [];
  underWay = 0;
  /** The receiver counts as down: only the first in line is tried. */
  open = false;
  /** The next delivery that waits is due then, as far as is known; milliseconds since 1970. */
  waitsUntil = 0;
  /** The table may hold deliveries that are due. */
  mayHaveMore = false;
  claiming = false;

  constructor(webhookId: string) {
    this.webhookId = webhookId;
  }

  get full(): boolean {
    return this.open || this.queue.length >= handful;
  }

  /** How many more may be taken in hand. */
  get room(): number {
    return handful - this.queue.length;
  }

  get idle(): boolean {
    return this.underWay === 0 && this.queue.length === 0 && !this.claiming && !this.mayHaveMore && this.breaker.calm;
  }

  /** The next delivery to send, when there is one and another may be under way. */
  next(concurrency: number): Delivery | undefined {
    return this.underWay < (this.open ? 1 : concurrency) ? this.queue.shift() : undefined;
  }
}
