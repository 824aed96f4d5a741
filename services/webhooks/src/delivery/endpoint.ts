import { Breaker } from './breaker.ts';
import { chatOf, type Delivery } from './delivery.ts';

/** Deliveries in hand for one webhook, at most; more wait in the table. */
const handful = 100;

/** One webhook's deliveries in this process: what is in hand, what is under way, how its receiver stands. */
export class Endpoint {
  readonly webhookId: string;
  readonly organizationId: string;
  readonly breaker = new Breaker();
  readonly queue: Delivery[] = [];
  /** Chats of which a new message is under way. */
  readonly #chats = new Set<string>();
  #underWay = 0;
  #unsettled = 0;
  /** The receiver counts as down: only the first in line is tried. */
  open = false;
  /** The next delivery that waits is due then, as far as is known; milliseconds since 1970. */
  waitsUntil = 0;
  /** The table may hold deliveries that are due. */
  mayHaveMore = false;
  claiming = false;

  constructor({ webhookId, organizationId }: Pick<Delivery, 'webhookId' | 'organizationId'>) {
    this.webhookId = webhookId;
    this.organizationId = organizationId;
  }

  get full(): boolean {
    return this.open || this.queue.length >= handful;
  }

  /** How many more may be taken in hand. */
  get room(): number {
    return handful - this.queue.length;
  }

  /** Something is under way, or its outcome is not yet written down. */
  get busy(): boolean {
    return this.#underWay + this.#unsettled > 0;
  }

  get idle(): boolean {
    return !this.busy && this.queue.length === 0 && !this.claiming && !this.mayHaveMore && this.breaker.calm;
  }

  /**
   * Whether there is a delivery to send and another may be under way. What has arrived and is not yet written down would be
   * repeated after a crash, so that is bounded too: with a concurrency of one there is nothing but the one.
   */
  ready(concurrency: number): boolean {
    if (!this.queue.some((delivery) => this.#mayGo(delivery))) return false;
    const unsettled = concurrency === 1 ? 0 : concurrency * 3;
    return this.open ? !this.busy : this.#underWay < concurrency && this.#unsettled <= unsettled;
  }

  /** The next delivery, under way from now on. A new message waits for the one before of its chat. */
  next(): Delivery | undefined {
    const index = this.queue.findIndex((delivery) => this.#mayGo(delivery));
    const [delivery] = index === -1 ? [] : this.queue.splice(index, 1);
    if (delivery === undefined) return undefined;
    this.#underWay += 1;
    const chat = chatOf(delivery);
    if (chat !== undefined) this.#chats.add(chat);
    return delivery;
  }

  #mayGo(delivery: Delivery): boolean {
    if (this.#chats.size === 0) return true;
    const chat = chatOf(delivery);
    return chat === undefined || !this.#chats.has(chat);
  }

  #letChatGo(delivery: Delivery): void {
    const chat = chatOf(delivery);
    if (chat !== undefined) this.#chats.delete(chat);
  }

  /** One under way has arrived. */
  answered(delivery: Delivery): void {
    this.#letChatGo(delivery);
    this.#underWay -= 1;
    this.#unsettled += 1;
  }

  /** The outcome of one is written down; `answered` was told before when it had arrived. */
  settled(delivery: Delivery, wasAnswered: boolean): void {
    if (wasAnswered) {
      this.#unsettled -= 1;
      return;
    }
    this.#letChatGo(delivery);
    this.#underWay -= 1;
  }
}
