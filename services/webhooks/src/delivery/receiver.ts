import { chatOf, type Delivery } from './delivery.ts';
import type { Attempt } from './sender.ts';

/** Deliveries in hand for one webhook, at most; more wait in the table. */
const handful = 100;

/** Several deliveries that are taken out of the table. */
export interface Claim {
  readonly isDown: boolean;
  readonly limit: number;
}

/** A webhook's receiver, as this process sees it: deliveries in hand and under way, and whether it counts as down. */
export class Receiver {
  readonly webhookId: string;
  readonly organizationId: string;
  readonly #breaker = new Breaker();
  readonly #queue: Delivery[] = [];
  /** Chats of which a new message is under way. */
  readonly #chats = new Set<string>();
  #underWay = 0;
  /** Arrived, and not yet written down. */
  #unsettled = 0;
  #isDown = false;
  /** The next delivery that waits is due then, as far as is known; milliseconds since 1970. */
  #waitsUntil = 0;
  /** The table may hold deliveries that are due. */
  #mayHaveMore = false;
  #isClaiming = false;

  constructor({ webhookId, organizationId }: Pick<Delivery, 'webhookId' | 'organizationId'>) {
    this.webhookId = webhookId;
    this.organizationId = organizationId;
  }

  /** Whether the receiver counts as down: only the first in line is tried. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** New deliveries are not taken in hand. */
  get isFull(): boolean {
    return this.#isDown || this.#queue.length >= handful;
  }

  /** Whether this process need remember nothing of the receiver. */
  get isIdle(): boolean {
    return !this.#isBusy && !this.hasWork && !this.#isClaiming && this.#breaker.isCalm;
  }

  /** Whether deliveries are in hand, or may wait in the table. */
  get hasWork(): boolean {
    return this.#queue.length > 0 || this.#mayHaveMore;
  }

  /** Down, with an attempt under way: nothing else is tried. */
  get mustWait(): boolean {
    return this.#isDown && this.#isBusy;
  }

  /** Whether attempts are under way, or their outcomes not yet written down. */
  get #isBusy(): boolean {
    return this.#underWay + this.#unsettled > 0;
  }

  /** Takes deliveries in hand. */
  take(deliveries: readonly Delivery[]): void {
    this.#queue.push(...deliveries);
  }

  /** Lets go of what is in hand and not under way. */
  letGo(): readonly Delivery[] {
    return this.#queue.splice(0);
  }

  /** More was put into the table. @returns whether to look there now; while it is busy it does so when it goes on */
  moreWaits(now: number): boolean {
    if (this.#isBusy) this.#mayHaveMore = true;
    return !this.#isBusy && (!this.#isDown || this.#waitsUntil <= now);
  }

  /** Notes that deliveries in the table are due. @returns whether they may be claimed now */
  becomesDue(isDown: boolean): boolean {
    this.#isDown = isDown;
    this.#waitsUntil = 0;
    if (this.mustWait) return false;
    this.#mayHaveMore = true;
    return true;
  }

  /** Whether the table is to be asked for more. */
  get wantsMore(): boolean {
    return this.#mayHaveMore && !this.#isClaiming && this.#queue.length === 0;
  }

  beginClaim(): Claim {
    this.#isClaiming = true;
    this.#mayHaveMore = false;
    return { isDown: this.#isDown, limit: handful - this.#queue.length };
  }

  /** @param count deliveries that were claimed; 0 when that failed */
  endClaim({ isDown, limit }: Claim, count: number): void {
    if (!isDown && count === limit) this.#mayHaveMore = true;
    this.#isClaiming = false;
  }

  /**
   * Whether there is a delivery to send and another may be under way. What has arrived and is not yet written down would be
   * repeated after a crash, so that is bounded too: with a concurrency of one there is nothing but the one.
   */
  isReady(concurrency: number): boolean {
    if (!this.#queue.some((delivery) => this.#mayGo(delivery))) return false;
    const unsettled = concurrency === 1 ? 0 : concurrency * 3;
    return this.#isDown ? !this.#isBusy : this.#underWay < concurrency && this.#unsettled <= unsettled;
  }

  /** The next delivery, under way from now on. A new message waits for the one before of its chat. */
  next(): Delivery | undefined {
    const index = this.#queue.findIndex((delivery) => this.#mayGo(delivery));
    const [delivery] = index === -1 ? [] : this.#queue.splice(index, 1);
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

  /** State of the receiver after an attempt. */
  judge(eventId: string, outcome: Attempt['outcome']): 'up' | 'failing' | 'down' {
    const isDown = this.#breaker.note(eventId, outcome);
    if (outcome === 'delivered') return 'up';
    return isDown ? 'down' : 'failing';
  }

  /** A delivery under way has arrived. */
  answered(delivery: Delivery): void {
    this.#letChatGo(delivery);
    this.#underWay -= 1;
    this.#unsettled += 1;
  }

  /**
   * The outcome of a delivery is written down.
   *
   * @param hasArrived `answered` was told before
   * @param dueAt when it is tried again
   */
  settled(delivery: Delivery, hasArrived: boolean, dueAt: number | undefined): void {
    this.#waitsUntil = dueAt ?? 0;
    if (hasArrived) {
      this.#unsettled -= 1;
      return;
    }
    this.#letChatGo(delivery);
    this.#underWay -= 1;
  }

  #letChatGo(delivery: Delivery): void {
    const chat = chatOf(delivery);
    if (chat !== undefined) this.#chats.delete(chat);
  }

  /** Sets whether the receiver counts as down, by what all replicas have written down. */
  stands(isDown: boolean): void {
    this.#isDown = isDown;
  }

  /** Forgets earlier refusals of the receiver. */
  startAfresh(): void {
    this.#breaker.reset();
  }
}

/** The receivers that this process has something to do with. */
export class Receivers {
  readonly #known = new Map<string, Receiver>();

  of(webhook: Pick<Delivery, 'webhookId' | 'organizationId'>): Receiver {
    const known = this.#known.get(webhook.webhookId);
    if (known !== undefined) return known;
    const receiver = new Receiver(webhook);
    this.#known.set(webhook.webhookId, receiver);
    return receiver;
  }

  find(webhookId: string): Receiver | undefined {
    return this.#known.get(webhookId);
  }

  all(): Iterable<Receiver> {
    return this.#known.values();
  }

  /** Webhooks of which new deliveries are not taken in hand. */
  full(): string[] {
    return [...this.#known.values()].filter(({ isFull }) => isFull).map(({ webhookId }) => webhookId);
  }

  forgetIdle(): void {
    for (const [id, { isIdle }] of this.#known) if (isIdle) this.#known.delete(id);
  }
}

/** Different deliveries that a receiver must refuse or break off in a row before it counts as down. */
const refusedInARow = 3;

/**
 * Tells when a receiver counts as down: at once when it cannot be reached, and when it refuses several different
 * deliveries in a row. One delivery that a receiver refuses again and again says nothing about the others.
 */
export class Breaker {
  readonly #refused = new Set<string>();

  /** @returns whether the receiver counts as down after this attempt */
  note(eventId: string, outcome: Attempt['outcome']): boolean {
    if (outcome === 'delivered') this.#refused.clear();
    else if (this.#refused.size < refusedInARow) this.#refused.add(eventId);
    return outcome === 'unreachable' || this.#refused.size >= refusedInARow;
  }

  /** Whether no delivery was refused of late. */
  get isCalm(): boolean {
    return this.#refused.size === 0;
  }

  reset(): void {
    this.#refused.clear();
  }
}
