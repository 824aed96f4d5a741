import { conversationIdOf, type Caller, type OutgoingContentOf } from '@messaging-gateway/contracts';
import type { EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { isUnavailable, type Clock } from '@messaging-gateway/runtime';
import { assertProfileAllowed, type RequestContext } from '@messaging-gateway/service';
import type { DailyLimit } from '../gate/daily-limit.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import type { Occasion, Recorder } from '../lanes/recorder.ts';
import type { Waiters } from '../lanes/waiters.ts';
import type { MessageFacts, Origin, SendMode } from '../message/message-events.ts';
import { isKnown, type KnownMessage } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import { networkMessageIdOf, nextMessageIdOf } from '../message/network-message-id.ts';
import type { LaneRecords } from '../views/lane-records.ts';
import { answerTo, isTriedAnew } from './answers.ts';
import type { Asking } from './connection-check.ts';

/** A message that somebody wants to send, whatever its type. */
export interface Draft {
  readonly profileId: string;
  /** JID of the chat. */
  readonly to: string;
  readonly content: OutgoingContentOf;
  readonly quotedMessageId?: string;
  readonly origin: Origin;
}

export interface SendingParts {
  readonly mode: SendMode;
  readonly clock: Clock;
  readonly store: EventStore;
  readonly lanes: Lanes;
  readonly records: LaneRecords;
  readonly recorder: Recorder;
  readonly waiters: Waiters;
  readonly dailyLimit: DailyLimit;
  /** Whether the profile is connected, asked from sessions. */
  readonly isConnected: (lane: Lane, asking: Asking) => Promise<boolean>;
  /** A send was refused at the daily limit. */
  readonly limited: () => void;
}

/** A synchronous send waits for its turn so long, milliseconds (api-decisions §4). */
const turnPatience = 60_000;
/** Kept back from a deadline, so that the answer reaches the one who waits. */
const answerTime = 500;
/** Tries under one Idempotency-Key, at most. */
const chainLength = 100;

/** The one way into the lanes: every send, of whatever type and origin, is accepted here (architecture §5). */
export class Sending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message under the id that the gateway minted and answers as the mode says. The same id again meets the
   * same message and is answered with its state.
   *
   * @returns the body of the 200, or the answer 202
   * @throws Refused NOT_FOUND, FORBIDDEN, PROFILE_NOT_CONNECTED, DAILY_LIMIT_REACHED, and what the network said
   */
  async accept(draft: Draft, caller: Caller, context: RequestContext): Promise<unknown> {
    assertProfileAllowed(caller, draft.profileId);
    const lane = await this.#laneOf(draft.profileId, caller.organizationId);
    if (!context.repeated) return this.#begin(draft, lane, caller, context, context.resourceId);
    const { messageId, message } = await this.#lastOf(context.resourceId);
    return message === undefined
      ? this.#begin(draft, lane, caller, context, messageId)
      : this.#answerLater(message, context);
  }

  async #laneOf(profileId: string, organizationId: string): Promise<Lane> {
    const lane = await this.#parts.lanes.find(profileId);
    if (lane === undefined || lane.isClosed || lane.organizationId !== organizationId) {
      throw new Refused('NOT_FOUND', 'There is no such profile.');
    }
    return lane;
  }

  /** The message that stands for an id: after an answer that is not kept, a repeat goes on with the next one. */
  async #lastOf(resourceId: string): Promise<{ messageId: string; message?: KnownMessage }> {
    let messageId = resourceId;
    for (let tries = 0; tries < chainLength; tries += 1) {
      const { state } = await this.#parts.store.load(messageStream, messageId);
      if (!isKnown(state)) return { messageId };
      if (!isTriedAnew(state)) return { messageId, message: state };
      messageId = nextMessageIdOf(messageId);
    }
    throw new Refused('CONFLICT', 'Too many tries with one Idempotency-Key.');
  }

  async #begin(draft: Draft, lane: Lane, caller: Caller, context: RequestContext, messageId: string): Promise<unknown> {
    const { mode, lanes } = this.#parts;
    if (mode === 'synchronous' && lane.connection.state !== 'connected') {
      if (!(await this.#parts.isConnected(lane, context))) return this.#refuseUnconnected(messageId, context);
    }
    // While the lane was looked at it may have been forgotten as idle: from here on it is not.
    const present = lanes.hold(lane, messageId);
    if (mode === 'durable') return this.#queue(draft, present, caller, context, messageId);
    return this.#sendNow(draft, present, caller, context, messageId);
  }

  /** Nothing is made and no place is taken, unless the same request had made a message before. */
  async #refuseUnconnected(messageId: string, context: RequestContext): Promise<unknown> {
    const { message } = await this.#lastOf(messageId);
    if (message !== undefined) return this.#answerLater(message, context);
    throw new Refused('PROFILE_NOT_CONNECTED', 'The profile is not connected.');
  }

  async #queue(draft: Draft, lane: Lane, caller: Caller, context: RequestContext, messageId: string): Promise<unknown> {
    const { message, appended } = await this.#append(draft, lane, caller, context, messageId);
    context.appended(appended);
    return answerTo(message);
  }

  async #sendNow(
    draft: Draft,
    lane: Lane,
    caller: Caller,
    context: RequestContext,
    messageId: string,
  ): Promise<unknown> {
    const { waiters } = this.#parts;
    const wait = waiters.wait(
      messageId,
      context.deadline - answerTime,
      (state) => state.status !== 'accepted',
      context.appended,
    );
    try {
      const { message, accepted } = await this.#append(draft, lane, caller, context, messageId);
      if (accepted) return answerTo((await wait.outcome) ?? message);
      if (!isTriedAnew(message)) return await this.#answerLater(message, context);
    } finally {
      wait.stop();
    }
    const next = await this.#lastOf(messageId);
    if (next.message !== undefined) return this.#answerLater(next.message, context);
    return this.#begin(draft, lane, caller, context, next.messageId);
  }

  /** The message that the id stands for already: what is on its way is waited for. */
  async #answerLater(message: KnownMessage, context: RequestContext): Promise<unknown> {
    const { waiters, store } = this.#parts;
    const isOpen = ({ status, mode }: KnownMessage): boolean =>
      status === 'unknown' || (status === 'accepted' && mode === 'synchronous');
    if (!isOpen(message)) return answerTo(message);
    const { messageId } = message.facts;
    const wait = waiters.wait(messageId, context.deadline - answerTime, (state) => !isOpen(state), context.appended);
    try {
      // It may have been settled before the wait began.
      const { state } = await store.load(messageStream, messageId);
      if (isKnown(state) && !isOpen(state)) return answerTo(state);
      return answerTo((await wait.outcome) ?? message);
    } finally {
      wait.stop();
    }
  }

  async #append(
    draft: Draft,
    lane: Lane,
    caller: Caller,
    context: RequestContext,
    messageId: string,
  ): Promise<{ message: KnownMessage; accepted: boolean; appended: readonly RecordedEvent[] }> {
    const { clock, mode, recorder } = this.#parts;
    const at = clock.now();
    const { content, quotedMessageId } = draft;
    const facts = factsOf(draft, messageId);
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    try {
      const command = { type: 'AcceptMessage', facts, content, ...quoted, mode, at } as const;
      const { outcome, state, appended } = await recorder.record(occasionOf(facts, lane, caller, context), command);
      if (outcome === 'guarded' || !isKnown(state)) throw await this.#refusal(lane);
      if (outcome === 'appended') {
        const { conversationId } = facts;
        const { requestId, traceparent } = context;
        const turn = mode === 'synchronous' ? { turnBy: Math.min(at + turnPatience, context.deadline) } : {};
        const trace = traceparent === undefined ? { requestId } : { requestId, traceparent };
        const parcel = { facts, content };
        lane.enter({
          messageId,
          conversationId,
          mode,
          acceptedAt: at,
          ...turn,
          ...trace,
          parcel,
          phase: 'waiting',
          attempts: 0,
          settlements: 0,
        });
        return { message: state, accepted: true, appended };
      }
      return { message: state, accepted: false, appended };
    } catch (error) {
      // It may have been written all the same: the table tells.
      if (isUnavailable(error)) lane.suspect();
      throw error;
    } finally {
      lane.queue.dismiss(messageId);
    }
  }

  /** Why the gate gave no place: the profile is gone, or its day is full. */
  async #refusal(lane: Lane): Promise<Refused> {
    const record = await this.#parts.records.find(lane.profileId);
    if (record === undefined || record.closed) return new Refused('NOT_FOUND', 'There is no such profile.');
    this.#parts.limited();
    return this.#parts.dailyLimit.refusal(record);
  }
}

function factsOf({ profileId, to, content, origin }: Draft, messageId: string): MessageFacts {
  const conversationId = conversationIdOf(profileId, to);
  return {
    messageId,
    profileId,
    conversationId,
    networkMessageId: networkMessageIdOf(messageId),
    to,
    type: content.type,
    origin,
  };
}

function occasionOf(
  { messageId, profileId }: MessageFacts,
  lane: Lane,
  caller: Caller,
  context: RequestContext,
): Occasion {
  const { requestId, traceparent } = context;
  const actor = caller.apiKeyId === undefined ? `user:${caller.userId}` : `api_key:${caller.apiKeyId}`;
  return {
    messageId,
    profileId,
    organizationId: lane.organizationId,
    actor,
    requestId,
    ...(traceparent !== undefined && { traceparent }),
  };
}
