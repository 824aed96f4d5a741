import type { MessageCommand } from '../message/message.ts';
import { isKnown } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import { networkMessageIdOf } from '../message/network-message-id.ts';
import type { Step } from './agenda.ts';
import type { ConnectionSight } from './connection-sight.ts';
import type { Address, Delivery } from './delivery.ts';
import type { LaneEntry, Parcel } from './lane-entry.ts';
import type { LaneQueue } from './lane-queue.ts';
import type { LaneTools } from './lane-tools.ts';
import type { Recorded } from './recorder.ts';

/** The lane that the work is done for. */
export interface Workplace {
  readonly profileId: string;
  readonly organizationId: string;
  readonly queue: LaneQueue;
  readonly connection: ConnectionSight;
  /** The next message waits for the record of this one: the delay holds over a crash, and the count of the day is exact. */
  readonly waitsForRecord: boolean;
  noteHandOver(at: number): void;
  /** Keeps record of work in the background. @returns when it is done */
  track(entry: LaneEntry, work: Promise<void>): Promise<void>;
}

/** Waits before the next settlement of the same message, milliseconds. */
const settlementPauses = [0, 2000, 10_000, 30_000];
/** Wait after a hand-over that could not begin for a reason that passes, milliseconds. */
const notNowPause = 1000;

/** Hands over, settles and records, for one entry that was taken out of turn; it is finished or put back at the end. */
export function laneWork(lane: Workplace, tools: LaneTools) {
  const { queue, connection, organizationId, profileId } = lane;
  const { clock, courier, permits, metrics, recorder, signal, log } = tools;
  const address = (): Address => ({ organizationId, profileId, epoch: tools.epoch() });

  const record = (entry: LaneEntry, command: MessageCommand): Promise<Recorded> => {
    const { messageId, requestId, traceparent } = entry;
    const trace = { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
    return recorder.recordSurely({ messageId, organizationId, profileId, actor: 'service:outbound', ...trace }, command, signal);
  };
  const finish = async (entry: LaneEntry, command: MessageCommand): Promise<void> => {
    await record(entry, command);
    queue.finish(entry);
  };

  const postpone = (entry: LaneEntry, phase: LaneEntry['phase'], dueAt: number | undefined): void => {
    entry.phase = phase;
    if (dueAt === undefined) delete entry.dueAt;
    else entry.dueAt = dueAt;
    queue.putBack(entry);
  };
  const postponeSettlement = (entry: LaneEntry): void => {
    entry.settlements += 1;
    const pause = settlementPauses[Math.min(entry.settlements, settlementPauses.length) - 1] ?? 0;
    postpone(entry, 'unsettled', clock.now() + pause);
  };

  const sent = async (entry: LaneEntry, handedOverAt: number): Promise<void> => {
    lane.noteHandOver(handedOverAt);
    const recorded = lane.track(entry, finish(entry, { type: 'ConfirmSent', handedOverAt }));
    if (lane.waitsForRecord) await recorded;
  };

  const refused = async (entry: LaneEntry, { error, handedOverAt }: Extract<Delivery, { outcome: 'refused' }>): Promise<void> => {
    const handed = handedOverAt === undefined ? {} : { handedOverAt };
    const { events } = await record(entry, { type: 'RefuseDelivery', error, at: clock.now(), ...handed });
    const retry = events.find((event) => event.type === 'DeliveryAttemptFailed');
    if (retry === undefined) return queue.finish(entry);
    entry.attempts = retry.data.attempt;
    postpone(entry, entry.phase, Date.parse(retry.data.nextAttemptAt));
  };

  const conclude = async (entry: LaneEntry, delivery: Delivery, readies: number): Promise<void> => {
    switch (delivery.outcome) {
      case 'sent':
        return sent(entry, delivery.handedOverAt);
      case 'refused':
        return refused(entry, delivery);
      case 'lost':
        await record(entry, { type: 'LoseOutcome', handedOverAt: delivery.handedOverAt });
        return postponeSettlement(entry);
      case 'not-now':
        return postpone(entry, entry.phase, clock.now() + notNowPause);
      case 'disowned':
        log.warn('The lane of a profile is owned by another process', { profileId, messageId: entry.messageId });
    }
    connection.refused(readies, clock.now());
    queue.putBack(entry);
  };

  const deliver = async (entry: LaneEntry): Promise<void> => {
    const parcel = entry.parcel ?? (await parcelOf(entry, tools));
    if (parcel === undefined) return queue.finish(entry);
    const giveBack = entry.mode === 'durable' ? await permits.take() : undefined;
    const readies = connection.readies;
    if (entry.dueAt === undefined && entry.phase === 'waiting') metrics.waited((clock.now() - entry.acceptedAt) / 1000);
    const delivery = await courier.deliver(address(), entry, parcel).finally(giveBack);
    metrics.attempt(delivery.outcome);
    await conclude(entry, delivery, readies);
  };

  const ask = async (entry: LaneEntry): Promise<void> => {
    const { readies } = connection;
    const settlement = await courier.settle(address(), entry, networkMessageIdOf(entry.messageId));
    switch (settlement.outcome) {
      case 'never-seen':
        if (entry.mode === 'durable') return postpone(entry, 'repeat', undefined);
        return finish(entry, { type: 'ReportNeverSeen', at: clock.now() });
      case 'may-have-left':
        await record(entry, { type: 'LoseOutcome', handedOverAt: clock.now() });
        return postpone(entry, 'repeat', undefined);
      case 'no-answer':
        return postponeSettlement(entry);
      default:
        return conclude(entry, settlement, readies);
    }
  };

  return {
    /** Ends a message that was not handed over. */
    giveUp: (entry: LaneEntry, command: MessageCommand): Promise<void> => lane.track(entry, finish(entry, command)),
    carryOut: ({ do: what, entry }: Step): Promise<void> => {
      switch (what) {
        case 'deliver':
          return deliver(entry);
        case 'ask':
          return ask(entry);
        case 'abandon':
          return finish(entry, { type: 'AbandonSettlement' });
      }
    },
  };
}

/** What is to be handed over, from the journal; undefined when the message is settled already or was erased. */
async function parcelOf(entry: LaneEntry, { store }: LaneTools): Promise<Parcel | undefined> {
  const { state } = await store.load(messageStream, entry.messageId);
  if (!isKnown(state) || (state.status !== 'accepted' && state.status !== 'unknown')) return undefined;
  const { facts, content } = state;
  entry.parcel = { facts, content };
  return typeof content === 'object' ? entry.parcel : undefined;
}
