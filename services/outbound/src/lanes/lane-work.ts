import { DeliverMessage, SettleMessage } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import { endOf, restricted, type Restriction } from '../gate/restriction.ts';
import type { SendGate } from '../gate/send-gate.ts';
import { type Failure, type MessageCommand, networkMessageIdOf } from '../message/message.ts';
import type { LaneQueue, OutboundMetrics } from './queue.ts';
import { type OpenMessage, type Parcel, type Step, letRest, mostRepeats } from './agenda.ts';
import { askProfile, type ConnectionSight } from './connection.ts';
import { disowned, failedHandOver, type HandOver, handOverOf, type Settlement, settlementOf } from './hand-over.ts';
import { type MessageJournal, type Occasion, outcomeOf, parcelOf, type Recorded, type Waiters } from './journal.ts';
import type { Hold } from './hold.ts';
import type { Permits } from './permits.ts';
import { explained } from './refusal.ts';
import type { Tenure } from './owners.ts';
import type { Strangers } from './strangers.ts';

/** Parts that the work of all lanes of a process needs. */
export interface WorkTools {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: EventStore;
  readonly metrics: OutboundMetrics;
  /** Reaches whoever holds the connection of the profile. */
  readonly ask: ServiceTools<unknown>['ask'];
  readonly journal: MessageJournal;
  readonly waiters: Waiters;
  readonly strangers: Strangers;
  /** Bounds deliveries from the durable queue, over all lanes. */
  readonly permits: Permits;
  /** Sessions has seen a newer epoch of a lane of this process. @returns whether the lane goes on, with a newer one */
  readonly onDisowned: (profileId: string, newestEpoch: number) => Promise<boolean>;
  /** How long a queued message waits before it expires, milliseconds. */
  readonly timeToLive: number;
  /** Aborted when the process stops and what is not recorded by then is left to the next one. */
  readonly signal: AbortSignal;
}

/** The lane that the work is done for. */
export interface Workplace {
  readonly profileId: string;
  readonly organizationId: string;
  readonly tenure: Tenure;
  readonly queue: LaneQueue;
  readonly gate: SendGate;
  readonly connection: ConnectionSight;
  readonly hold: Hold;
}

type Phase = OpenMessage['phase'];

/** Waits before the next settlement of the same message, milliseconds; from then on twice as long each time, an hour at most. */
const settlementPauses = [0, 2000, 10_000, 30_000];
const longestPause = 3_600_000;
/** Wait after a hand-over that could not begin for a reason that passes, milliseconds. */
const notNowPause = 1000;
/** How long sessions has for one hand-over, milliseconds: media are fetched, encrypted and uploaded in it. */
const deliveryTime = 20_000;
const mediaTime = 60_000;
/** How long a message is held while the profile changes hands, milliseconds (docs/decisions/0814). */
const holdTime = 20_000;
/** The record of what was answered already may wait so long for others to go with, milliseconds. */
const answeredPatience = 10;

/** Of a record whose outcome was told already. */
type Told = Pick<Occasion, 'patienceMs' | 'at'>;

/** Said of what was not handed over: only its owner can know that. */
const ends: ReadonlySet<MessageCommand['type']> = new Set(['GiveUp', 'ReportNeverSeen', 'AbandonSettlement']);

/** Hands over, settles and records for the messages of one lane, one step after the other; records may go on in the background. */
export class LaneWork {
  readonly #lane: Workplace;
  readonly #tools: WorkTools;
  readonly #onRecorded: () => void;
  /** Outcomes being written while the next message goes out already. */
  readonly recordings = new Set<Promise<void>>();

  /** @param onRecorded called when something was written in the background */
  constructor(lane: Workplace, tools: WorkTools, onRecorded: () => void) {
    this.#lane = lane;
    this.#tools = tools;
    this.#onRecorded = onRecorded;
  }

  /** Never rejects: what meets an error rests for a while. */
  async carryOut({ do: what, entry }: Step): Promise<void> {
    entry.isInHand = true;
    try {
      if (what === 'deliver') await this.#deliver(entry);
      else if (what === 'ask') await this.#ask(entry);
      else await this.#settle(entry, { type: 'AbandonSettlement' });
    } catch (error) {
      this.#met(entry, error);
    }
  }

  /** Ends a message that was not handed over, in the background. */
  giveUp(entry: OpenMessage, error: Failure): void {
    entry.isInHand = true;
    void this.#inBackground(entry, this.#settle(entry, { type: 'GiveUp', error, at: this.#tools.clock.now() }));
  }

  async #deliver(entry: OpenMessage): Promise<void> {
    const { clock, metrics, permits, store } = this.#tools;
    const { connection, gate, hold, organizationId, queue, tenure } = this.#lane;
    try {
      entry.parcel ??= await parcelOf(entry, store);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return postpone(entry, entry.phase, clock.now() + notNowPause);
    }
    if (entry.parcel === undefined) return queue.drop(entry.messageId);
    if (connection.state === 'unknown' || !gate.knowsLimits(clock.now())) await this.#look();
    if (hold.of(entry) !== 'allowed') {
      // The lane has only just learned of it.
      entry.isInHand = false;
      return;
    }
    const giveBack = entry.mode === 'durable' ? await permits.take(organizationId) : undefined;
    // While it waited, for the journal or for a permit, the lane may have gone.
    if (!tenure.mayHandOver()) {
      giveBack?.();
      entry.isInHand = false;
      return;
    }
    await hold.count(entry);
    const { readies } = connection;
    if (entry.dueAt === undefined && entry.phase === 'waiting') metrics.waited((clock.now() - entry.acceptedAt) / 1000);
    const handing = this.#handOver(entry, entry.parcel);
    const handOver = await (giveBack === undefined ? handing : handing.finally(giveBack));
    metrics.attempt(handOver.outcome);
    if (entry.phase === 'repeat' && handOver.outcome === 'lost') entry.repeats = (entry.repeats ?? 0) + 1;
    await this.#conclude(entry, handOver, readies);
  }

  /** A lane that has only just come here knows nothing of its connection: a profile between two holders is connected. */
  async #look(): Promise<void> {
    const { connection } = this.#lane;
    const profile = await askProfile(this.#tools, this.#lane).catch(() => undefined);
    if (profile === undefined) return;
    this.#lane.gate.describe(profile);
    // News that came meanwhile are newer.
    if (connection.state === 'unknown') connection.seen(profile.status === 'connected', this.#tools.clock.now());
  }

  /** Asks the holder of the connection to send it. Never rejects: a silence is an outcome too. */
  async #handOver(entry: OpenMessage, { facts, content }: Parcel): Promise<HandOver> {
    const { ask, clock } = this.#tools;
    const { organizationId, profileId, connection, tenure } = this.#lane;
    const { messageId, networkMessageId, to } = facts;
    const askedAt = clock.now();
    const about = { organizationId, profileId, messageId, networkMessageId, laneEpoch: tenure.lease.epoch };
    const keep = this.#mayAnswerFirst(entry) && { keep: true };
    entry.isKnownChat = this.#tools.strangers.standingOf(entry.conversationId) === 'known';
    const known = entry.isKnownChat && { isKnownChat: true };
    try {
      const body = { ...about, attempt: entry.attempts + 1, to, content, ...known, ...keep };
      const answer = await ask(DeliverMessage, body, {
        route: profileId,
        timeoutMs: 'media' in content ? mediaTime : deliveryTime,
        // When nobody answers for a profile that was connected, the next holder is waited for, unless the lane goes meanwhile.
        holdMs: connection.state === 'connected' ? holdTime : 0,
        timeAfterHold: true,
        isStillHeld: () => tenure.mayHandOver(),
        ...traceOf(entry),
      });
      return handOverOf(answer, askedAt, clock);
    } catch (error) {
      const failed = failedHandOver(error, clock);
      // Whoever had it is gone. Somebody waits here: the next holder knows whether it has left.
      const isAsked = failed.outcome === 'lost' && entry.mode === 'synchronous' && entry.accepted !== undefined;
      return isAsked && tenure.mayHandOver() ? this.#knownOf(entry, failed) : failed;
    }
  }

  /** Outcome of a message whose hand-over met an error, by the holder of the connection; else `failed`. */
  async #knownOf(entry: OpenMessage, failed: HandOver): Promise<HandOver> {
    const known = await this.#settlement(entry);
    if (known.outcome === 'never-seen') return { outcome: 'not-now' };
    return known.outcome === 'sent' || known.outcome === 'refused' ? known : failed;
  }

  async #settlement(entry: OpenMessage): Promise<Settlement> {
    const { ask, clock } = this.#tools;
    const { organizationId, profileId, tenure } = this.#lane;
    const networkMessageId = networkMessageIdOf(entry.messageId);
    const body = { organizationId, profileId, networkMessageId, laneEpoch: tenure.lease.epoch };
    try {
      return settlementOf(await ask(SettleMessage, body, { route: profileId, ...traceOf(entry) }), clock);
    } catch (error) {
      return disowned(error) ?? { outcome: 'no-answer' };
    }
  }

  async #ask(entry: OpenMessage): Promise<void> {
    const { clock } = this.#tools;
    const { connection, tenure } = this.#lane;
    const { readies } = connection;
    const settlement = await this.#settlement(entry);
    switch (settlement.outcome) {
      case 'never-seen':
        if (entry.mode === 'durable') return postpone(entry, 'repeat');
        if (tenure.isOwned()) return this.#settle(entry, { type: 'ReportNeverSeen', at: clock.now() });
        entry.isInHand = false;
        return;
      case 'may-have-left':
        if ((entry.repeats ?? 0) >= mostRepeats) return this.#lost(entry, clock.now());
        await this.#loseOutcome(entry, clock.now());
        return postpone(entry, 'repeat');
      case 'no-answer':
        return this.#lost(entry, clock.now());
      case 'refused':
        // Sessions answers the next attempt from its record, unless the refusal was that of an attempt that is counted.
        if (entry.mode === 'durable') return postpone(entry, 'repeat');
        return this.#conclude(entry, settlement, readies);
      case 'sent':
      case 'lost':
      case 'not-connected':
      case 'restricted':
      case 'not-now':
      case 'disowned':
        return this.#conclude(entry, settlement, readies);
    }
  }

  async #conclude(entry: OpenMessage, handOver: HandOver, readies: number): Promise<void> {
    const { clock, onDisowned } = this.#tools;
    switch (handOver.outcome) {
      case 'sent':
        return this.#sent(entry, handOver);
      case 'refused':
        return this.#refused(entry, handOver);
      case 'lost':
        return this.#lost(entry, handOver.handedOverAt);
      case 'restricted':
        return this.#restricted(entry, handOver.restriction);
      case 'not-now':
        return postpone(entry, entry.phase, clock.now() + notNowPause);
      case 'disowned': {
        const goesOn = await onDisowned(this.#lane.profileId, handOver.newestEpoch);
        return postpone(entry, entry.phase, goesOn ? undefined : clock.now() + notNowPause);
      }
      case 'not-connected':
        // A lane that is given up has not waited for the next holder.
        if (this.#lane.tenure.mayHandOver()) this.#lane.connection.refused(readies, clock.now());
        entry.isInHand = false;
    }
  }

  async #sent(entry: OpenMessage, { handedOverAt, isKept }: Extract<HandOver, { outcome: 'sent' }>): Promise<void> {
    const { gate, connection } = this.#lane;
    if (entry.isChange !== true) {
      gate.handedOver(handedOverAt);
      if (connection.state === 'unknown') connection.seen(true, handedOverAt);
    }
    const command = { type: 'ConfirmSent', handedOverAt } as const;
    const isFirst = isKept === true && this.#mayAnswerFirst(entry);
    // It is never withdrawn from now on, whatever becomes of the record.
    entry.phase = 'unsettled';
    const at = new Date(this.#tools.clock.now());
    if (isFirst && entry.accepted !== undefined) {
      const [known, events] = outcomeOf(entry.accepted, command, at);
      this.#tools.waiters.tell(entry.messageId, known, events);
    }
    const settled = this.#settle(entry, command, isFirst ? { patienceMs: answeredPatience, at } : {});
    if (gate.waitsForRecord) return settled;
    void this.#inBackground(entry, settled);
  }

  /** Whether nothing was written of the message since it was accepted, and nothing waits for its record. */
  #mayAnswerFirst({ accepted, phase, attempts }: OpenMessage): boolean {
    return accepted !== undefined && phase === 'waiting' && attempts === 0 && !this.#lane.gate.waitsForRecord;
  }

  async #refused(
    entry: OpenMessage,
    { error, handedOverAt }: Extract<HandOver, { outcome: 'refused' }>,
  ): Promise<void> {
    const { outcome, events } = await this.#record(entry, {
      type: 'RefuseDelivery',
      error: await explained(error, entry.parcel?.facts.to),
      attempt: entry.attempts + 1,
      at: this.#tools.clock.now(),
      ...(handedOverAt !== undefined && { handedOverAt }),
    });
    if (events.some(({ type }) => type === 'DeliveryAttemptFailed')) {
      entry.isInHand = false;
      return;
    }
    const { queue } = this.#lane;
    queue.drop(entry.messageId);
    // Somebody else has told of this attempt: what comes next stands in the table.
    if (outcome === 'nothing') queue.suspect();
  }

  /** A queued message waits for the end of the restriction, and the attempt does not count; a synchronous one fails. */
  async #restricted(entry: OpenMessage, restriction: Restriction): Promise<void> {
    this.#lane.gate.restrict(restriction);
    // Whether the receiver is a stranger is found out first.
    if (entry.isKnownChat !== true) return postpone(entry, entry.phase);
    if (entry.mode === 'synchronous') return this.#refused(entry, { outcome: 'refused', error: restricted });
    entry.restrictedUntil = endOf(restriction);
    postpone(entry, entry.phase);
  }

  async #lost(entry: OpenMessage, handedOverAt: number): Promise<void> {
    entry.phase = 'unsettled';
    await this.#loseOutcome(entry, handedOverAt);
    entry.settlements += 1;
    const now = this.#tools.clock.now();
    entry.unsettledSince ??= now;
    // It is given up in time, however long the pause is.
    const end = Math.max(now, entry.acceptedAt + this.#tools.timeToLive);
    postpone(entry, 'unsettled', Math.min(now + pauseBefore(entry.settlements), end));
  }

  async #loseOutcome(entry: OpenMessage, handedOverAt: number): Promise<void> {
    await this.#record(entry, { type: 'LoseOutcome', handedOverAt });
    entry.isUnaccounted = false;
  }

  async #settle(entry: OpenMessage, command: MessageCommand, told: Told = {}): Promise<void> {
    await this.#record(entry, command, told);
    // Where somebody else has said so before, the journal told nothing.
    this.#lane.queue.drop(entry.messageId);
  }

  #record(entry: OpenMessage, command: MessageCommand, told: Told = {}): Promise<Recorded> {
    const { messageId } = entry;
    const { organizationId, profileId, tenure } = this.#lane;
    const trace = traceOf(entry);
    const occasion = { messageId, organizationId, profileId, actor: 'service:outbound', ...trace, ...told };
    const { journal, signal } = this.#tools;
    return journal.recordSurely(occasion, command, signal, () => !ends.has(command.type) || tenure.isOwned());
  }

  async #inBackground(entry: OpenMessage, settled: Promise<void>): Promise<void> {
    const recording = settled.catch((error: unknown) => this.#met(entry, error));
    this.recordings.add(recording);
    await recording;
    this.recordings.delete(recording);
    this.#onRecorded();
  }

  /** Goes on with a message later when something unforeseen happened; a stop is nothing unforeseen. */
  #met(entry: OpenMessage, error: unknown): void {
    const { clock, log, signal } = this.#tools;
    const { profileId, tenure } = this.#lane;
    if (signal.aborted || !tenure.isOwned()) return;
    log.error('A message in its lane met an error', { profileId, messageId: entry.messageId, reason: String(error) });
    letRest(entry, clock.now());
    entry.isInHand = false;
  }
}

/** Of the request that a message was accepted for. */
const traceOf = ({ requestId, traceparent }: OpenMessage): { requestId?: string; traceparent?: string } => ({
  ...(requestId !== undefined && { requestId }),
  ...(traceparent !== undefined && { traceparent }),
});

/** Puts a message off until `dueAt`; absent: it is next. */
function postpone(entry: OpenMessage, phase: Phase, dueAt?: number): void {
  entry.phase = phase;
  if (dueAt === undefined) delete entry.dueAt;
  else entry.dueAt = dueAt;
  entry.isInHand = false;
}

/** Many messages of an outage do not come back at the same moment. */
function pauseBefore(settlement: number): number {
  const pause = settlementPauses[settlement - 1];
  if (pause !== undefined) return pause;
  const doubled = (settlementPauses.at(-1) ?? 0) * 2 ** (settlement - settlementPauses.length);
  return Math.min(doubled, longestPause) * (0.75 + Math.random() / 4);
}
