import type { ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { attemptDelivery, released, type AttemptingParts } from './attempt.ts';
import { keyOf, type Claimant, type Delivery, type FannedOut } from './delivery.ts';
import { DueTimer } from './due-timer.ts';
import { Heartbeat, Strays, type Beat } from './heartbeat.ts';
import { lookAfterReceiver, Outcomes, type ReceiverState, type Settlement } from './outcome.ts';
import { reportGivenUp, reportReceiver } from './report.ts';
import { claim, retire, waitingWebhooks } from './outstanding.ts';
import { AttemptPermits } from './permits.ts';
import { Receivers, type Receiver } from './receiver.ts';

export type DispatcherParts = AttemptingParts & Pick<ServiceTools<WebhooksSettings>, 'sql'>;

/** How long a stop waits for attempts that are under way, milliseconds of real time. */
const stopWithinMs = 3000;

/**
 * Brings deliveries to their receivers. Each webhook has its own limit of attempts under way and each organization its share
 * of those of the process, so that nobody waits for another's receiver; what cannot be held in hand waits in the table.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #receivers = new Receivers();
  readonly #inHand = new Set<string>();
  readonly #permits = new AttemptPermits<Receiver>();
  readonly #outcomes: Outcomes;
  readonly #heartbeat: Heartbeat;
  readonly #strays: Strays;
  readonly #timer: DueTimer;
  readonly #claims = new Set<Promise<void>>();
  #running = false;

  constructor(parts: DispatcherParts) {
    const { sql, clock, log } = parts;
    this.#parts = parts;
    this.#outcomes = new Outcomes({
      sql,
      clock,
      log,
      dispatcherId: () => this.#heartbeat.id,
      onKept: (settlements, states) => this.#kept(settlements, states),
      // What nobody will be able to write down any more is found by whoever takes over.
      ended: () => !this.#running && !this.#heartbeat.trusted,
    });
    this.#heartbeat = new Heartbeat({
      sql,
      log,
      now: () => clock.now(),
      onBeat: (beat) => this.#afterBeat(beat),
      isAlone: parts.settings.isAlone,
    });
    this.#strays = new Strays({ sql, clock, dispatcherId: () => this.#heartbeat.id, inHand: () => this.#inHand });
    this.#timer = new DueTimer(clock, () => this.#lookAtWaiting());
  }

  async start(): Promise<void> {
    await this.#heartbeat.start();
    this.#running = true;
    // What waits is in hand before anything new comes: of a chat the older messages go first.
    await this.#lookAtWaiting().catch(() => undefined);
    await Promise.all(this.#claims);
    this.#timer.wake();
  }

  /** Begins nothing more, gives back what is in hand, ends what is under way after a moment. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#timer.stop();
    for (const receiver of this.#receivers.all()) this.#giveBack(receiver);
    const until = performance.now() + stopWithinMs;
    while (this.#permits.given > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await this.#parts.sender.stop();
    await this.#outcomes.idle();
    await this.#heartbeat.stop();
  }

  /** The claimant, which takes new deliveries of the intake in hand at once. */
  claimant(): Claimant {
    const { lapses } = this.#heartbeat;
    if (!this.#running || !this.#heartbeat.trusted) return { dispatcherId: undefined, full: [], lapses };
    return { dispatcherId: this.#heartbeat.id, full: this.#receivers.full(), lapses };
  }

  /** New deliveries, committed: some in hand already, others waiting in the table. */
  offer(deliveries: readonly FannedOut[], { lapses }: Pick<Claimant, 'lapses'>): void {
    for (const delivery of deliveries) {
      const receiver = this.#receivers.of(delivery);
      if (delivery.claimed) this.#take(receiver, [{ ...delivery, attempts: 0 }], lapses);
      else if (receiver.moreWaits(this.#parts.clock.now())) this.#timer.wake();
    }
  }

  /** Has the dispatcher look for deliveries that were not there before. */
  wake(): void {
    this.#timer.wake();
  }

  /** The database broke off in the middle of something. */
  suspectStrays(): void {
    this.#strays.suspect();
  }

  /** @param lapses when they were claimed: if others may have taken them since, they are given back */
  #take(receiver: Receiver, deliveries: readonly Delivery[], lapses: number): void {
    for (const delivery of deliveries) this.#inHand.add(keyOf(delivery));
    receiver.take(deliveries);
    if (lapses !== this.#heartbeat.lapses) this.#giveBack(receiver);
    this.#pump(receiver);
  }

  #pump(receiver: Receiver): void {
    if (!this.#running || receiver.mustWait) this.#giveBack(receiver);
    else this.#goOn(receiver);
    this.#letIn();
  }

  /** Goes on with a receiver: it wants a permit for what it has in hand, and more when that is nothing. */
  #goOn(receiver: Receiver): void {
    if (receiver.isReady(this.#concurrency)) this.#permits.want(receiver);
    if (receiver.wantsMore && this.#heartbeat.trusted) this.#claim(receiver);
  }

  /** Begins what there is room for, of whichever webhook. */
  #letIn(): void {
    while (this.#running && this.#heartbeat.trusted) {
      const receiver = this.#permits.next();
      if (receiver === undefined) return;
      // What it had may have been given back since.
      const delivery = receiver.isReady(this.#concurrency) ? receiver.next() : undefined;
      if (delivery === undefined) continue;
      this.#permits.give(receiver);
      void this.#run(receiver, delivery);
      this.#goOn(receiver);
    }
  }

  /** This replica's share of WORKER_CONCURRENCY; each has one at least. */
  get #concurrency(): number {
    return Math.max(1, Math.floor(this.#parts.settings.concurrency / this.#heartbeat.present));
  }

  async #run(receiver: Receiver, delivery: Delivery): Promise<void> {
    const settlement = await attemptDelivery(this.#parts, receiver, delivery);
    // The next one need not wait until it is written down that this one has arrived.
    if (settlement.receiver === 'up') {
      receiver.answered(delivery);
      this.#pump(receiver);
    }
    await this.#outcomes.settle(settlement);
    this.#inHand.delete(keyOf(delivery));
    receiver.settled(delivery, settlement.receiver === 'up', settlement.dueAt);
    this.#permits.giveBack(receiver);
    this.#pump(receiver);
    if (receiver.isDown || settlement.dueAt !== undefined) this.#timer.wakeAt(settlement.dueAt ?? 0);
  }

  #kept(settlements: readonly Settlement[], states: readonly ReceiverState[]): void {
    for (const { delivery, receiver } of settlements) if (receiver === 'up') this.#stands(delivery.webhookId, false);
    const told = new Map(settlements.map((settlement) => [settlement.delivery.webhookId, settlement]));
    reportGivenUp(this.#parts.log, settlements);
    for (const state of states) {
      const receiver = this.#receivers.find(state.webhookId);
      if (receiver !== undefined) reportReceiver(this.#parts.log, receiver, state, told.get(state.webhookId)?.error);
      this.#stands(state.webhookId, state.isDown);
      lookAfterReceiver(this.#parts, state).then(
        (changed) => changed && this.#timer.wake(),
        (error: unknown) => this.#warn(state.webhookId, error),
      );
    }
  }

  #stands(webhookId: string, isDown: boolean): void {
    const receiver = this.#receivers.find(webhookId);
    if (receiver === undefined) return;
    receiver.stands(isDown);
    if (isDown) this.#giveBack(receiver);
  }

  /** Queued deliveries go back to the table. */
  #giveBack(receiver: Receiver): void {
    for (const delivery of receiver.letGo()) {
      void this.#outcomes.settle(released(delivery, this.#parts.clock.now())).then(() => {
        this.#inHand.delete(keyOf(delivery));
        this.#timer.wake();
      });
    }
  }

  #claim(receiver: Receiver): void {
    const claim = this.#claimMore(receiver).finally(() => this.#claims.delete(claim));
    this.#claims.add(claim);
  }

  async #claimMore(receiver: Receiver): Promise<void> {
    const { sql, clock } = this.#parts;
    const { id: dispatcherId, lapses } = this.#heartbeat;
    const begun = receiver.beginClaim();
    try {
      const deliveries = await claim(sql, receiver.webhookId, { ...begun, dispatcherId, now: clock.now() });
      receiver.endClaim(begun, deliveries.length);
      this.#take(receiver, deliveries, lapses);
    } catch (error) {
      receiver.endClaim(begun, 0);
      this.suspectStrays();
      this.#warn(receiver.webhookId, error);
      this.#timer.wakeAt(clock.now() + 1000);
    }
  }

  /** @returns when the next delivery is due */
  async #lookAtWaiting(): Promise<number | undefined> {
    const { sql, clock, metrics } = this.#parts;
    const waiting = await waitingWebhooks(sql);
    metrics.waiting(waiting.length, waiting.filter(({ isDown }) => isDown).length);
    let next: number | undefined;
    for (const { webhookId, organizationId, dueAt, isDown, ended } of waiting) {
      if (ended) {
        if (await retire(sql, webhookId, clock.now())) next = clock.now();
        this.#receivers.find(webhookId)?.startAfresh();
      } else if (dueAt.getTime() <= clock.now()) {
        const receiver = this.#receivers.of({ webhookId, organizationId });
        if (receiver.becomesDue(isDown)) this.#pump(receiver);
      } else next = Math.min(next ?? Infinity, dueAt.getTime());
    }
    return next;
  }

  #afterBeat({ freed, lapsed }: Beat): void {
    for (const receiver of this.#receivers.all()) {
      // Others may have it in hand by now; what they have not is claimed again.
      if (lapsed) this.#giveBack(receiver);
      if (receiver.hasWork) this.#pump(receiver);
    }
    this.#receivers.forgetIdle();
    if (freed) this.#timer.wake();
    this.#strays.look().then(
      (found) => found && this.#timer.wake(),
      () => undefined,
    );
  }

  #warn(webhookId: string, error: unknown): void {
    this.#parts.log.warn('Deliveries of a webhook could not be looked after', { webhookId, reason: String(error) });
  }
}
