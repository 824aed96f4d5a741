import { isUnavailable } from '@messaging-gateway/runtime';
import type { MessageCommand } from '../message/message.ts';
import { isKnown } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import type { Step } from './agenda.ts';
import type { ConnectionSight } from './connection-sight.ts';
import type { Address, Delivery } from './delivery.ts';
import { mostRepeats, type LaneEntry, type Parcel } from './lane-entry.ts';
import { outcomeOf } from './outcome.ts';
import type { LaneQueue } from './lane-queue.ts';
import type { LaneStanding } from './lane-standing.ts';
import type { LaneTools } from './lane-tools.ts';
import type { Occasion, Recorded } from './recorder.ts';

/** The lane that the work is done for. */
export interface Workplace {
  readonly profileId: string;
  readonly organizationId: string;
  /** Sent with every hand-over: sessions refuses an older one than it has seen. */
  readonly epoch: number;
  /** Whether the lane is still this process's. */
  readonly isOwned: boolean;
  /** The same, and it is not being given up. */
  readonly mayHandOver: boolean;
  readonly queue: LaneQueue;
  readonly connection: ConnectionSight;
  readonly standing: Pick<LaneStanding, 'waitsForRecord'>;
  noteHandOver(at: number): void;
  /** Keeps record of work in the background. @returns when it is done */
  track(entry: LaneEntry, work: Promise<void>): Promise<void>;
}

type Phase = LaneEntry['phase'];

/** Waits before the next settlement of the same message, milliseconds; from then on twice as long each time, an hour at most. */
const settlementPauses = [0, 2000, 10_000, 30_000];
const longestPause = 3_600_000;
/** Wait after a hand-over that could not begin for a reason that passes, milliseconds. */
const notNowPause = 1000;
/** The record of what was answered already may wait so long for others to go with, milliseconds. */
const answeredPatience = 10;

/** Of a record whose outcome was told already. */
type Later = Pick<Occasion, 'patienceMs' | 'at'>;

/** Said of what was not handed over: only its owner can know that. */
const ends: ReadonlySet<MessageCommand['type']> = new Set(['GiveUp', 'ReportNeverSeen', 'AbandonSettlement']);

/** Hands over, settles and records, for one entry that was taken out of turn; it is finished or put back at the end. */
export class LaneWork {
  readonly #lane: Workplace;
  readonly #tools: LaneTools;

  constructor(lane: Workplace, tools: LaneTools) {
    this.#lane = lane;
    this.#tools = tools;
  }

  carryOut({ do: what, entry }: Step): Promise<void> {
    if (what === 'deliver') return this.#deliver(entry);
    return what === 'ask' ? this.#ask(entry) : this.#finish(entry, { type: 'AbandonSettlement' });
  }

  /** Ends a message that was not handed over. */
  giveUp(entry: LaneEntry, command: MessageCommand): Promise<void> {
    return this.#lane.track(entry, this.#finish(entry, command));
  }

  async #deliver(entry: LaneEntry): Promise<void> {
    const { clock, courier, metrics, permits, store } = this.#tools;
    const { connection, queue } = this.#lane;
    try {
      entry.parcel ??= await parcelOf(entry, store);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return this.#postpone(entry, entry.phase, clock.now() + notNowPause);
    }
    if (entry.parcel === undefined) return queue.finish(entry);
    const giveBack = entry.mode === 'durable' ? await permits.take(this.#lane.organizationId) : undefined;
    // While it waited, for the journal or for a permit, the lane may have gone.
    if (!this.#lane.mayHandOver) {
      giveBack?.();
      return queue.putBack(entry);
    }
    const readies = connection.readies;
    if (entry.dueAt === undefined && entry.phase === 'waiting') metrics.waited((clock.now() - entry.acceptedAt) / 1000);
    const keep = this.#mayAnswerFirst(entry);
    const delivery = await courier.deliver(this.#address(), entry, entry.parcel, keep).finally(giveBack);
    metrics.attempt(delivery.outcome);
    if (entry.phase === 'repeat' && delivery.outcome === 'lost') entry.repeats = (entry.repeats ?? 0) + 1;
    await this.#conclude(entry, delivery, readies);
  }

  async #ask(entry: LaneEntry): Promise<void> {
    const { clock, courier } = this.#tools;
    const { readies } = this.#lane.connection;
    const settlement = await courier.settle(this.#address(), entry, networkMessageIdOf(entry.messageId));
    switch (settlement.outcome) {
      case 'never-seen':
        if (entry.mode === 'durable') return this.#postpone(entry, 'repeat', undefined);
        if (!this.#lane.isOwned) return this.#lane.queue.putBack(entry);
        return this.#finish(entry, { type: 'ReportNeverSeen', at: clock.now() });
      case 'may-have-left':
        if ((entry.repeats ?? 0) >= mostRepeats) return this.#lost(entry, clock.now());
        await this.#loseOutcome(entry, clock.now());
        return this.#postpone(entry, 'repeat', undefined);
      case 'no-answer':
        return this.#lost(entry, clock.now());
      case 'refused':
        // Sessions answers the next attempt from its record, unless the refusal was that of an attempt that is counted.
        if (entry.mode === 'durable') return this.#postpone(entry, 'repeat', undefined);
        return this.#conclude(entry, settlement, readies);
      case 'sent':
      case 'lost':
      case 'not-connected':
      case 'not-now':
      case 'disowned':
        return this.#conclude(entry, settlement, readies);
    }
  }

  async #conclude(entry: LaneEntry, delivery: Delivery, readies: number): Promise<void> {
    const { clock } = this.#tools;
    const { connection, queue } = this.#lane;
    switch (delivery.outcome) {
      case 'sent':
        return this.#sent(entry, delivery);
      case 'refused':
        return this.#refused(entry, delivery);
      case 'lost':
        return this.#lost(entry, delivery.handedOverAt);
      case 'not-now':
        return this.#postpone(entry, entry.phase, clock.now() + notNowPause);
      case 'disowned': {
        const goesOn = await this.#tools.onDisowned(this.#lane.profileId, delivery.newestEpoch);
        return this.#postpone(entry, entry.phase, goesOn ? undefined : clock.now() + notNowPause);
      }
      case 'not-connected':
        connection.refused(readies, clock.now());
        queue.putBack(entry);
    }
  }

  async #sent(entry: LaneEntry, { handedOverAt, isKept }: Extract<Delivery, { outcome: 'sent' }>): Promise<void> {
    if (entry.isChange !== true) this.#lane.noteHandOver(handedOverAt);
    const command = { type: 'ConfirmSent', handedOverAt } as const;
    const isFirst = isKept === true && this.#mayAnswerFirst(entry);
    // It is never withdrawn from now on, whatever becomes of the record.
    entry.phase = 'unsettled';
    const at = new Date(this.#tools.clock.now());
    if (isFirst && entry.accepted !== undefined) this.#tools.answer(...outcomeOf(entry.accepted, command, at));
    const later = isFirst ? { patienceMs: answeredPatience, at } : {};
    const recorded = this.#lane.track(entry, this.#finish(entry, command, later));
    if (this.#lane.standing.waitsForRecord) await recorded;
  }

  /** Nothing was written of the message since it was accepted, and nothing waits for its record. */
  #mayAnswerFirst({ accepted, phase, attempts }: LaneEntry): boolean {
    return accepted !== undefined && phase === 'waiting' && attempts === 0 && !this.#lane.standing.waitsForRecord;
  }

  async #refused(entry: LaneEntry, { error, handedOverAt }: Extract<Delivery, { outcome: 'refused' }>): Promise<void> {
    const handed = handedOverAt === undefined ? {} : { handedOverAt };
    const { events, outcome } = await this.#record(entry, {
      type: 'RefuseDelivery',
      error,
      attempt: entry.attempts + 1,
      at: this.#tools.clock.now(),
      ...handed,
    });
    const retry = events.find((event) => event.type === 'DeliveryAttemptFailed');
    if (retry === undefined) {
      this.#lane.queue.finish(entry);
      // Somebody else has told of this attempt: what comes next stands in the table.
      if (outcome === 'nothing') this.#lane.queue.suspect();
      return;
    }
    entry.attempts = retry.data.attempt;
    this.#postpone(entry, entry.phase, Date.parse(retry.data.nextAttemptAt));
  }

  async #lost(entry: LaneEntry, handedOverAt: number): Promise<void> {
    entry.phase = 'unsettled';
    await this.#loseOutcome(entry, handedOverAt);
    entry.settlements += 1;
    const now = this.#tools.clock.now();
    entry.unsettledSince ??= now;
    // It is given up in time, however long the pause is.
    const end = Math.max(now, entry.acceptedAt + this.#tools.timeToLive);
    this.#postpone(entry, 'unsettled', Math.min(now + pauseBefore(entry.settlements), end));
  }

  async #loseOutcome(entry: LaneEntry, handedOverAt: number): Promise<void> {
    await this.#record(entry, { type: 'LoseOutcome', handedOverAt });
    entry.isUnaccounted = false;
  }

  #postpone(entry: LaneEntry, phase: Phase, dueAt: number | undefined): void {
    entry.phase = phase;
    if (dueAt === undefined) delete entry.dueAt;
    else entry.dueAt = dueAt;
    this.#lane.queue.putBack(entry);
  }

  async #finish(entry: LaneEntry, command: MessageCommand, later: Later = {}): Promise<void> {
    await this.#record(entry, command, later);
    this.#lane.queue.finish(entry);
  }

  #record(entry: LaneEntry, command: MessageCommand, later: Later = {}): Promise<Recorded> {
    const { messageId, requestId, traceparent } = entry;
    const { organizationId, profileId } = this.#lane;
    const trace = { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
    const occasion = { messageId, organizationId, profileId, actor: 'service:outbound', ...trace, ...later };
    const { recorder, signal } = this.#tools;
    return recorder.recordSurely(occasion, command, signal, () => !ends.has(command.type) || this.#lane.isOwned);
  }

  #address(): Address {
    const { organizationId, profileId, epoch, connection } = this.#lane;
    return { organizationId, profileId, epoch, isConnected: connection.state === 'connected' };
  }
}

/** Many messages of an outage do not come back at the same moment. */
function pauseBefore(settlement: number): number {
  const pause = settlementPauses[settlement - 1];
  if (pause !== undefined) return pause;
  const doubled = (settlementPauses.at(-1) ?? 0) * 2 ** (settlement - settlementPauses.length);
  return Math.min(doubled, longestPause) * (0.75 + Math.random() / 4);
}

/** What is to be handed over, from the journal; undefined when the message is settled already or was erased. */
async function parcelOf({ messageId }: LaneEntry, store: LaneTools['store']): Promise<Parcel | undefined> {
  const { state } = await store.load(messageStream, messageId);
  if (!isKnown(state) || (state.status !== 'accepted' && state.status !== 'unknown')) return undefined;
  const { facts, content } = state;
  return typeof content === 'object' ? { facts, content } : undefined;
}
