import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import type { Claimant, FannedOut } from '../log/intake.ts';
import { attemptDelivery, released, type AttemptingParts } from './attempting.ts';
import { keyOf, type Delivery } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { Endpoints } from './endpoints.ts';
import { Outcomes } from './outcomes.ts';
import { claim, retire, waitingWebhooks } from './outstanding.ts';
import { Presence, type Beat } from './presence.ts';
import { Schedule } from './schedule.ts';
import { lookAfterReceiver } from './receiver-care.ts';
import { Room } from './room.ts';
import type { ReceiverState, Settlement } from './settling.ts';
import { Strays } from './strays.ts';

export type DispatcherParts = AttemptingParts & Pick<ServiceTools<WebhooksSettings>, 'sql'>;

/** How long a stop waits for attempts that are under way, milliseconds of real time. */
const stopWithinMs = 3000;

/**
 * Brings deliveries to their receivers. Each webhook has its own limit of attempts under way and each organization its share
 * of those of the process, so that nobody waits for another's receiver; what cannot be held in hand waits in the table.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #endpoints = new Endpoints();
  readonly #inHand = new Set<string>();
  readonly #room = new Room<Endpoint>();
  readonly #outcomes: Outcomes;
  readonly #presence: Presence;
  readonly #strays: Strays;
  readonly #schedule: Schedule;
  readonly #claims = new Set<Promise<void>>();
  #running = false;

  constructor(parts: DispatcherParts) {
    const { sql, clock, log } = parts;
    this.#parts = parts;
    this.#outcomes = new Outcomes({
      sql,
      clock,
      log,
      dispatcherId: () => this.#presence.id,
      onKept: (settlements, states) => this.#kept(settlements, states),
      // What nobody will be able to write down any more is found by whoever takes over.
      ended: () => !this.#running && !this.#presence.trusted,
    });
    this.#presence = new Presence({
      sql,
      log,
      now: () => clock.now(),
      onBeat: (beat) => this.#afterBeat(beat),
      isAlone: parts.settings.isAlone,
    });
    this.#strays = new Strays({ sql, clock, dispatcherId: () => this.#presence.id, inHand: () => this.#inHand });
    this.#schedule = new Schedule(clock, () => this.#lookAtWaiting());
  }

  async start(): Promise<void> {
    await this.#presence.start();
    this.#running = true;
    // What waits is in hand before anything new comes: of a chat the older messages go first.
    await this.#lookAtWaiting().catch(() => undefined);
    await Promise.all(this.#claims);
    this.#schedule.wake();
  }

  /** Begins nothing more, gives back what is in hand, ends what is under way after a moment. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#schedule.stop();
    for (const endpoint of this.#endpoints.all()) this.#giveBack(endpoint);
    const until = performance.now() + stopWithinMs;
    while (this.#room.taken > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    await this.#parts.sender.stop();
    await this.#outcomes.idle();
    await this.#presence.stop();
  }

  /** The claimant, which takes new deliveries of the intake in hand at once. */
  claimant(): Claimant {
    const { lapses } = this.#presence;
    if (!this.#running || !this.#presence.trusted) return { dispatcherId: undefined, full: [], lapses };
    return { dispatcherId: this.#presence.id, full: this.#endpoints.full(), lapses };
  }

  /** New deliveries, committed: some in hand already, others waiting in the table. */
  offer(deliveries: readonly FannedOut[], { lapses }: Pick<Claimant, 'lapses'>): void {
    for (const delivery of deliveries) {
      const endpoint = this.#endpoints.of(delivery);
      if (delivery.claimed) this.#take(endpoint, [{ ...delivery, attempts: 0 }], lapses);
      else if (endpoint.busy) endpoint.mayHaveMore = true;
      else if (!endpoint.open || endpoint.waitsUntil <= this.#parts.clock.now()) this.#schedule.wake();
    }
  }

  /** Something may wait that was not there before. */
  wake(): void {
    this.#schedule.wake();
  }

  /** The database broke off in the middle of something. */
  suspectStrays(): void {
    this.#strays.suspect();
  }

  /** @param lapses when they were claimed: if others may have taken them since, they are given back */
  #take(endpoint: Endpoint, deliveries: readonly Delivery[], lapses: number): void {
    for (const delivery of deliveries) this.#inHand.add(keyOf(delivery));
    endpoint.queue.push(...deliveries);
    if (lapses !== this.#presence.lapses) this.#giveBack(endpoint);
    this.#pump(endpoint);
  }

  #pump(endpoint: Endpoint): void {
    if (!this.#running || (endpoint.open && endpoint.busy)) this.#giveBack(endpoint);
    else this.#goOn(endpoint);
    this.#letIn();
  }

  /** Goes on with an endpoint: it wants a place for what it has in hand, and more when that is nothing. */
  #goOn(endpoint: Endpoint): void {
    if (endpoint.ready(this.#concurrency)) this.#room.want(endpoint);
    if (endpoint.mayHaveMore && !endpoint.claiming && endpoint.queue.length === 0 && this.#presence.trusted)
      this.#claim(endpoint);
  }

  /** Begins what there is room for, of whichever webhook. */
  #letIn(): void {
    while (this.#running && this.#presence.trusted) {
      const endpoint = this.#room.next();
      if (endpoint === undefined) return;
      // What it had may have been given back since.
      const delivery = endpoint.ready(this.#concurrency) ? endpoint.next() : undefined;
      if (delivery === undefined) continue;
      this.#room.enter(endpoint);
      void this.#run(endpoint, delivery);
      this.#goOn(endpoint);
    }
  }

  /** This replica's share of WORKER_CONCURRENCY; each has one at least. */
  get #concurrency(): number {
    return Math.max(1, Math.floor(this.#parts.settings.concurrency / this.#presence.present));
  }

  async #run(endpoint: Endpoint, delivery: Delivery): Promise<void> {
    const settlement = await attemptDelivery(this.#parts, endpoint, delivery);
    // The next one need not wait until it is written down that this one has arrived.
    if (settlement.receiver === 'up') {
      endpoint.answered(delivery);
      this.#pump(endpoint);
    }
    await this.#outcomes.settle(settlement);
    this.#inHand.delete(keyOf(delivery));
    endpoint.settled(delivery, settlement.receiver === 'up');
    this.#room.leave(endpoint);
    endpoint.waitsUntil = settlement.dueAt ?? 0;
    this.#pump(endpoint);
    if (endpoint.open || settlement.dueAt !== undefined) this.#schedule.wakeAt(endpoint.waitsUntil);
  }

  #kept(settlements: readonly Settlement[], states: readonly ReceiverState[]): void {
    for (const { delivery, receiver } of settlements) if (receiver === 'up') this.#stands(delivery.webhookId, false);
    for (const state of states) {
      this.#stands(state.webhookId, state.open);
      lookAfterReceiver(this.#parts, state).then(
        (changed) => changed && this.#schedule.wake(),
        (error: unknown) => this.#warn(state.webhookId, error),
      );
    }
  }

  /** @param open its receiver counts as down */
  #stands(webhookId: string, open: boolean): void {
    const endpoint = this.#endpoints.find(webhookId);
    if (endpoint === undefined) return;
    endpoint.open = open;
    if (open) this.#giveBack(endpoint);
  }

  /** Queued deliveries go back to the table. */
  #giveBack(endpoint: Endpoint): void {
    for (const delivery of endpoint.queue.splice(0)) {
      void this.#outcomes.settle(released(delivery, this.#parts.clock.now())).then(() => {
        this.#inHand.delete(keyOf(delivery));
        this.#schedule.wake();
      });
    }
  }

  #claim(endpoint: Endpoint): void {
    const claim = this.#claimMore(endpoint).finally(() => this.#claims.delete(claim));
    this.#claims.add(claim);
  }

  async #claimMore(endpoint: Endpoint): Promise<void> {
    const { sql, clock } = this.#parts;
    const limit = endpoint.room;
    const { lapses } = this.#presence;
    endpoint.claiming = true;
    endpoint.mayHaveMore = false;
    try {
      const { open, webhookId } = endpoint;
      const deliveries = await claim(sql, webhookId, {
        open,
        limit,
        dispatcherId: this.#presence.id,
        now: clock.now(),
      });
      if (!open && deliveries.length === limit) endpoint.mayHaveMore = true;
      endpoint.claiming = false;
      this.#take(endpoint, deliveries, lapses);
    } catch (error) {
      endpoint.claiming = false;
      this.suspectStrays();
      this.#warn(endpoint.webhookId, error);
      this.#schedule.wakeAt(clock.now() + 1000);
    }
  }

  /** @returns when the next delivery is due */
  async #lookAtWaiting(): Promise<number | undefined> {
    const { sql, clock, metrics } = this.#parts;
    const waiting = await waitingWebhooks(sql);
    metrics.waiting(waiting.length, waiting.filter(({ open }) => open).length);
    let next: number | undefined;
    for (const { webhookId, organizationId, dueAt, open, ended } of waiting) {
      if (ended) {
        if (await retire(sql, webhookId, clock.now())) next = clock.now();
        this.#endpoints.find(webhookId)?.breaker.reset();
      } else if (dueAt.getTime() <= clock.now()) {
        const endpoint = this.#endpoints.of({ webhookId, organizationId });
        endpoint.open = open;
        endpoint.waitsUntil = 0;
        if (open && endpoint.busy) continue;
        endpoint.mayHaveMore = true;
        this.#pump(endpoint);
      } else next = Math.min(next ?? Infinity, dueAt.getTime());
    }
    return next;
  }

  #afterBeat({ freed, lapsed }: Beat): void {
    for (const endpoint of this.#endpoints.all()) {
      // Others may have it in hand by now; what they have not is claimed again.
      if (lapsed) this.#giveBack(endpoint);
      if (endpoint.queue.length > 0 || endpoint.mayHaveMore) this.#pump(endpoint);
    }
    this.#endpoints.forgetIdle();
    if (freed) this.#schedule.wake();
    this.#strays.look().then(
      (found) => found && this.#schedule.wake(),
      () => undefined,
    );
  }

  #warn(webhookId: string, error: unknown): void {
    this.#parts.log.warn('Deliveries of a webhook could not be looked after', { webhookId, reason: String(error) });
  }
}
