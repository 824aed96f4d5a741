import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { isUnavailable } from '@messaging-gateway/runtime';
import type { RequestContext } from '@messaging-gateway/service';
import { turnPatience } from '../lanes/lane-entry.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { moved } from '../lanes/moved.ts';
import type { Wait, Waiters } from '../lanes/waiters.ts';
import { isChange, type SendMode } from '../message/message-events.ts';
import { isKnown, isOpen, type KnownMessage } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import type { Acceptance, Accepted } from './acceptance.ts';
import { answerTo, isTriedAnew } from './answers.ts';
import { lastMessageOf } from './repeats.ts';
import type { SendAnswer, SendOrder } from './send-order.ts';

export interface SendingParts {
  readonly mode: SendMode;
  readonly store: EventStore;
  readonly lanes: Lanes;
  readonly acceptance: Acceptance;
  readonly waiters: Waiters;
  /** Whether the profile is connected, asked from sessions. */
  readonly isConnected: (lane: Lane, context: Pick<RequestContext, 'requestId' | 'traceparent'>) => Promise<boolean>;
}

/** Kept back from a deadline, so that the answer reaches the one who waits. */
export const answerTime = 500;

/** Where a send enters its lane, in the process that owns it: every one, of whatever type and origin. */
export class Sending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message under the id that the gateway minted and answers as the mode says. The same id again meets the
   * same message and is answered with its state.
   *
   * @throws Refused PROFILE_NOT_CONNECTED, DAILY_LIMIT_REACHED, and what the network said
   * @throws Refused `moved`: the lane is owned elsewhere now, with or without the message
   */
  async accept(order: SendOrder, lane: Lane, context: RequestContext): Promise<SendAnswer> {
    if (!order.repeated) return this.#begin(order, lane, order.messageId, context);
    const { messageId, message } = await lastMessageOf(this.#parts.store, order.messageId);
    if (message === undefined) return this.#begin(order, lane, messageId, context);
    // Who accepted it may not have lived to tell the lane.
    if (isOpen(message) && !lane.queue.knows(messageId)) lane.suspect(0);
    return this.#answerLater(message, context);
  }

  async #begin(order: SendOrder, lane: Lane, messageId: string, context: RequestContext): Promise<SendAnswer> {
    const { lanes } = this.#parts;
    const { mode = this.#parts.mode } = order.draft;
    if (mode === 'synchronous' && lane.connection.state !== 'connected') {
      if (!(await this.#parts.isConnected(lane, context))) return this.#refuseUnconnected(messageId, context);
    }
    const present = lanes.hold(lane, messageId);
    if (present === undefined) throw moved();
    if (mode === 'durable') return this.#queue(order, present, messageId, context);
    return this.#sendNow(order, present, messageId, context);
  }

  /** Nothing is made and no place is taken, unless the same request had made a message before. */
  async #refuseUnconnected(messageId: string, context: RequestContext): Promise<SendAnswer> {
    const { message } = await lastMessageOf(this.#parts.store, messageId);
    if (message !== undefined) return this.#answerLater(message, context);
    throw new Refused('PROFILE_NOT_CONNECTED', 'The profile is not connected.');
  }

  async #queue(order: SendOrder, lane: Lane, messageId: string, context: RequestContext): Promise<SendAnswer> {
    const { message, appended } = await this.#enter(order, lane, messageId, context);
    context.appended(appended);
    return answerTo(message);
  }

  async #sendNow(order: SendOrder, lane: Lane, messageId: string, context: RequestContext): Promise<SendAnswer> {
    const wait = this.#waitFor(messageId, lane.profileId, (state) => state.status !== 'accepted', context);
    try {
      const { message, isRepeat } = await this.#enter(order, lane, messageId, context);
      if (!isRepeat) return answerTo((await told(wait)) ?? message);
      if (!isTriedAnew(message)) return await this.#answerLater(message, context);
    } finally {
      wait.stop();
    }
    const next = await lastMessageOf(this.#parts.store, messageId);
    if (next.message !== undefined) return this.#answerLater(next.message, context);
    return this.#begin(order, lane, next.messageId, context);
  }

  /** The message that the id stands for already: what is on its way is waited for. */
  async #answerLater(message: KnownMessage, context: RequestContext): Promise<SendAnswer> {
    if (!isAwaited(message)) return answerTo(message);
    const { messageId, profileId } = message.facts;
    const wait = this.#waitFor(messageId, profileId, (state) => !isAwaited(state), context);
    try {
      // It may have been settled before the wait began.
      const { state } = await this.#parts.store.load(messageStream, messageId);
      if (isKnown(state) && !isAwaited(state)) return answerTo(state);
      return answerTo((await told(wait)) ?? message);
    } finally {
      wait.stop();
    }
  }

  #waitFor(
    messageId: string,
    profileId: string,
    satisfies: (message: KnownMessage) => boolean,
    { deadline, appended: onEvents }: RequestContext,
  ): Wait {
    return this.#parts.waiters.wait({ messageId, profileId, deadline: deadline - answerTime, satisfies, onEvents });
  }

  async #enter(order: SendOrder, lane: Lane, messageId: string, context: RequestContext): Promise<Accepted> {
    try {
      const accepted = await this.#parts.acceptance.append(order, messageId, context);
      // Whoever owns the lane now is told of the message by the repeat of the request.
      if (!lane.isOwned) throw moved();
      if (!accepted.isRepeat) this.#putInto(lane, order, accepted, context);
      return accepted;
    } catch (error) {
      // It may have been written all the same: the table tells.
      if (isUnavailable(error)) lane.suspect(1000);
      throw error;
    } finally {
      lane.queue.dismiss(messageId);
    }
  }

  #putInto(lane: Lane, { draft: { content } }: SendOrder, accepted: Accepted, context: RequestContext): void {
    const { message, at, appended } = accepted;
    const { mode, facts } = message;
    const event = mode === 'synchronous' ? appended.at(-1) : undefined;
    const { requestId, traceparent, deadline } = context;
    lane.enter({
      messageId: facts.messageId,
      conversationId: facts.conversationId,
      mode,
      ...(isChange(facts.type) && { isChange: true }),
      acceptedAt: at,
      ...(mode === 'synchronous' && { turnBy: Math.min(at + turnPatience, deadline) }),
      requestId,
      ...(traceparent !== undefined && { traceparent }),
      ...(event !== undefined && { accepted: { message, event } }),
      parcel: { facts, content },
      phase: 'waiting',
      attempts: 0,
      settlements: 0,
    });
  }
}

/** A message whose outcome the client waits for. */
const isAwaited = ({ status, mode }: KnownMessage): boolean =>
  status === 'unknown' || (status === 'accepted' && mode === 'synchronous');

/** @throws Refused `moved` */
async function told({ outcome }: Wait): Promise<KnownMessage | undefined> {
  const message = await outcome;
  if (message === 'moved') throw moved();
  return message;
}
