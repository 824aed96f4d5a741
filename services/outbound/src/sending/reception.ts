import { SendThroughLane, type Caller } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { isUnseen, Refused } from '@messaging-gateway/messaging';
import { isUnavailable, type Clock } from '@messaging-gateway/runtime';
import { assertProfileAllowed, type RequestContext, type Running, type ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { Lanes } from '../lanes/lanes.ts';
import { isMoved, moved } from '../lanes/moved.ts';
import type { OwnerCalls } from '../lanes/owner-calls.ts';
import type { OwnerNews } from '../lanes/owner-news.ts';
import type { SendMode } from '../message/message-events.ts';
import { isOpen } from '../message/message-state.ts';
import type { Acceptance } from './acceptance.ts';
import { actorOf } from './actor.ts';
import { answerTo, unanswered } from './answers.ts';
import { lastMessageOf } from './repeats.ts';
import type { Draft, SendAnswer, SendOrder } from './send-order.ts';
import { answerTime, type Sending } from './sending.ts';

export interface ReceptionParts {
  readonly mode: SendMode;
  readonly clock: Clock;
  readonly store: EventStore;
  readonly lanes: Lanes;
  readonly calls: OwnerCalls;
  readonly news: OwnerNews;
  readonly sending: Sending;
  readonly acceptance: Acceptance;
  readonly ask: ServiceTools<unknown>['ask'];
}

type Passed = Static<(typeof SendThroughLane)['body']>;

/** A send is held so long while its lane changes hands, milliseconds: a killed owner is replaced within 12 s. */
const handOverTime = 20_000;
const pause = 100;
/** After the lanes were handed over, milliseconds: within the time that a stop gives to requests in progress. */
const lastAnswers = 4000;

/**
 * Where sends arrive: at any replica. Each is passed to the owner of its lane, and to the next one if that changes, so that
 * one process decides the order (`docs/decisions/0301-sends-go-to-the-owner.md`).
 *
 * @see docs/decisions/0301-sends-go-to-the-owner.md
 */
export class Reception implements Running {
  readonly #parts: ReceptionParts;
  #isClosed = false;

  constructor(parts: ReceptionParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isClosed = false;
  }

  /** What is held or passed on at a stop is answered where its lane went; what is not by then is told to come again. */
  async stop(): Promise<void> {
    const { clock, calls } = this.#parts;
    clock.at(clock.now() + lastAnswers, () => {
      this.#isClosed = true;
      calls.close();
    });
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, SERVICE_UNAVAILABLE, and what `Sending.accept` throws */
  async accept(draft: Draft, caller: Caller, context: RequestContext): Promise<SendAnswer> {
    assertProfileAllowed(caller, draft.profileId);
    const { organizationId } = caller;
    const order = { draft, organizationId, actor: actorOf(caller), messageId: context.resourceId };
    return this.#follow({ ...order, repeated: context.repeated }, context);
  }

  /** A send that another replica has passed on, because this one owns the lane. @throws Refused `moved` when it does not */
  async passed(body: Passed, context: RequestContext): Promise<SendAnswer> {
    const { organizationId, actor, messageId, repeated, ...draft } = body;
    const lane = await this.#parts.lanes.find(draft.profileId, organizationId);
    if (lane === undefined) throw moved();
    return this.#parts.sending.accept({ draft, organizationId, actor, messageId, repeated }, lane, context);
  }

  async #follow(first: SendOrder, context: RequestContext): Promise<SendAnswer> {
    const { calls, clock, lanes, sending } = this.#parts;
    const { profileId } = first.draft;
    const patience = (): number => Math.min(clock.now() + handOverTime, context.deadline - answerTime);
    let order = first;
    let hasMoved = false;
    for (let until = patience(); ; await clock.sleep(pause)) {
      try {
        const lane = calls.knows(profileId) ? undefined : await lanes.find(profileId, order.organizationId);
        const answer =
          lane === undefined ? await this.#elsewhere(order, context) : await sending.accept(order, lane, context);
        if (answer !== undefined) return answer;
      } catch (error) {
        // Of what may have been accepted already, the database will tell when it is back.
        if (!isPassing(error) && !(hasMoved && isUnavailable(error))) throw error;
        hasMoved = true;
        order = { ...order, repeated: true };
        if (!isLost(error)) until = patience();
      }
      if (clock.now() >= until || this.#isClosed) return this.#tooLate(order, context, hasMoved);
    }
  }

  /** @returns undefined when nobody can be asked now */
  async #elsewhere(order: SendOrder, context: RequestContext): Promise<SendAnswer | undefined> {
    const { calls } = this.#parts;
    const settled = order.repeated ? await this.#settled(order) : undefined;
    if (settled !== undefined) return settled;
    const owner = await calls.ownerOf(order.draft.profileId);
    if (owner !== undefined) return this.#pass(order, owner, context);
    return this.#isDurable(order) ? this.#store(order, context) : undefined;
  }

  #isDurable({ draft: { mode = this.#parts.mode } }: SendOrder): boolean {
    return mode === 'durable';
  }

  /** What a message of before has come to, if its lane has no part in the answer any more. */
  async #settled(order: SendOrder): Promise<SendAnswer | undefined> {
    const { message } = await lastMessageOf(this.#parts.store, order.messageId);
    if (message === undefined || (isOpen(message) && message.mode === 'synchronous')) return undefined;
    if (isOpen(message)) this.#mention(order);
    return answerTo(message);
  }

  /** @returns undefined when nobody is there; then nothing was accepted either */
  async #pass(order: SendOrder, owner: string, context: RequestContext): Promise<SendAnswer | undefined> {
    const { ask, calls } = this.#parts;
    const { draft, organizationId, actor, messageId, repeated } = order;
    const { deadline, requestId, traceparent, raised } = context;
    const body = { ...draft, organizationId, actor, messageId, repeated };
    try {
      return await calls.whileAlive(owner, () =>
        ask(SendThroughLane, body, { route: owner, holdMs: 0, deadline, requestId, traceparent, raised }),
      );
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      calls.forget(draft.profileId);
      if (isUnseen(error)) return undefined;
      throw isMoved(error) ? error : new Lost(error);
    }
  }

  /** Nobody owns the lane, and this process may not: the message waits in the table for whoever takes it. */
  async #store(order: SendOrder, context: RequestContext): Promise<SendAnswer> {
    const { message, appended } = await this.#parts.acceptance.append(order, order.messageId, context);
    context.appended(appended);
    this.#mention(order);
    return answerTo(message);
  }

  /** Whoever owns the lane by now may have read the table before. */
  #mention({ draft: { profileId }, organizationId }: SendOrder): void {
    this.#parts.news.mention({ profileId, organizationId });
  }

  /** Nobody has taken the lane in time. */
  async #tooLate(order: SendOrder, context: RequestContext, hasMoved: boolean): Promise<SendAnswer> {
    const { message } = await lastMessageOf(this.#parts.store, order.messageId).catch((error: unknown) => {
      throw hasMoved && isUnavailable(error) ? unanswered(order.messageId) : error;
    });
    if (message !== undefined) return answerTo(message);
    if (this.#isDurable(order)) return this.#store(order, context);
    throw new Refused('SERVICE_UNAVAILABLE', 'The lane of the profile is changing hands.', undefined, {
      'Retry-After': '5',
    });
  }
}

/** The owner did not answer: nobody knows what it has done. */
class Lost extends Error {
  constructor(cause: Refused) {
    super(cause.message, { cause });
    this.name = 'Lost';
  }
}
const isLost = (error: unknown): boolean => error instanceof Lost;
const isPassing = (error: unknown): boolean => isMoved(error) || isLost(error);
