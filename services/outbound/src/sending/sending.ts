import { conversationIdOf } from '@messaging-gateway/contracts';
import type { EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { type Clock, isUnavailable } from '@messaging-gateway/runtime';
import {
  actorOf,
  assertProfileAllowed,
  auditMarkOf,
  profileNotConnected,
  type RequestContext,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { DailyLimit } from '../gate/daily-limit.ts';
import type { LaneRecords } from '../gate/lane-records.ts';
import { askProfile } from '../lanes/connection.ts';
import type { MessageJournal, Wait, Waiters } from '../lanes/journal.ts';
import type { Lane } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { isMoved, Lost, moved, type Owners } from '../lanes/owners.ts';
import {
  isChange,
  isKnown,
  isOpen,
  type KnownMessage,
  messageStream,
  networkMessageIdOf,
  type SendMode,
} from '../message/message.ts';
import { answerTo, isTriedAnew, type LastMessage, lastMessageOf, unanswered } from './answers.ts';
import type { Asked, Draft, SendAnswer, SendOrder } from './send-order.ts';

export interface SendingParts {
  readonly mode: SendMode;
  readonly clock: Clock;
  readonly store: EventStore;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly lanes: Lanes;
  readonly owners: Owners;
  readonly journal: MessageJournal;
  readonly waiters: Waiters;
  readonly records: LaneRecords;
  readonly dailyLimit: DailyLimit;
  /** A send was refused at the daily limit. */
  readonly limited: () => void;
}

/** The request that a message is accepted for; without `appended` nobody waits for it, and it is nobody's change. */
type Accepting = Pick<RequestContext, 'requestId' | 'traceparent'> & Partial<Pick<RequestContext, 'appended'>>;

/** A message in the journal. */
export interface Accepted {
  readonly message: KnownMessage;
  /** The id stood for this message already. */
  readonly isRepeat: boolean;
  readonly appended: readonly RecordedEvent[];
}

/** A send is held so long while its lane changes hands, milliseconds: a killed owner is replaced within 12 s. */
const handOverTime = 20_000;
const pause = 100;
/** Kept back from a deadline, milliseconds, so that the answer reaches the one who waits. */
const answerTime = 500;
/** How long sessions has to say whether a profile is connected, milliseconds. */
const connectionTime = 5000;

/**
 * Every send, of whatever type and origin, from its request to its answer. It arrives at any replica; the one that owns the
 * profile's lane decides the order: it appends the message, with its place in the day's limit, and its lane
 * goes on from there. Sends are passed to the owner, and to the next one if that changes.
 *
 * @see docs/decisions/0301-sends-go-to-the-owner.md
 */
export class Sending {
  readonly #parts: SendingParts;

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /**
   * Accepts a message under the id that the gateway minted and answers as the mode says. What the id stands for already is
   * answered of that, whatever has become meanwhile of the media and the messages that the request names.
   *
   * @param read what is to be sent
   * @throws Refused NOT_FOUND, FORBIDDEN, PROFILE_NOT_CONNECTED, DAILY_LIMIT_REACHED, SERVICE_UNAVAILABLE, what the network
   * said, and what `read` throws
   */
  async send(
    { profileId, caller, context, mode, templateId, isCode }: Asked,
    read: () => Promise<Pick<Draft, 'to' | 'content' | 'quotedMessageId'>>,
  ): Promise<SendAnswer> {
    assertProfileAllowed(caller, profileId);
    const { resourceId: messageId, repeated } = context;
    const last = repeated ? await lastMessageOf(this.#parts.store, messageId) : undefined;
    const { message } = last ?? {};
    const given = message === undefined ? await read() : { to: message.facts.to, content: message.content };
    const how = {
      ...(mode !== undefined && { mode }),
      ...(templateId !== undefined && { templateId }),
      ...(isCode !== undefined && { isCode }),
    };
    const draft = { profileId, ...given, origin: 'api', ...how } as const;
    const order = { draft, organizationId: caller.organizationId, actor: actorOf(caller), messageId, repeated };
    return this.#follow(order, context, last);
  }

  /** A send that another replica has passed on, because this one owns the lane. @throws Refused `moved` when it does not */
  async passed(
    { organizationId, actor, messageId, repeated, ...draft }: Draft & Omit<SendOrder, 'draft'>,
    context: RequestContext,
  ): Promise<SendAnswer> {
    const lane = await this.#parts.lanes.find(draft.profileId, organizationId);
    if (lane === undefined) throw moved();
    return this.#here({ draft, organizationId, actor, messageId, repeated }, lane, context);
  }

  /**
   * Appends a message with its place in the day's limit, wherever its lane is.
   *
   * @throws Refused NOT_FOUND, DAILY_LIMIT_REACHED
   */
  async append(order: SendOrder, messageId: string, context: Accepting): Promise<Accepted> {
    const { clock, journal, mode: usual } = this.#parts;
    const { draft, organizationId, actor } = order;
    const { profileId, to, content, quotedMessageId, origin, mode = usual, terms, templateId, isCode } = draft;
    const facts = {
      messageId,
      profileId,
      conversationId: conversationIdOf(profileId, to),
      networkMessageId: networkMessageIdOf(messageId),
      to,
      type: content.type,
      origin,
    };
    // The guard gives every place of none.
    if (isChange(facts.type)) await this.#openRecord(order);
    const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
    const made = {
      ...(terms !== undefined && { terms }),
      ...(templateId !== undefined && { templateId }),
      ...(isCode !== undefined && { isCode }),
    };
    const command = { type: 'AcceptMessage', facts, content, ...quoted, ...made, mode, at: clock.now() } as const;
    const { requestId, traceparent, appended: waiting } = context;
    const audit = waiting && auditMarkOf({ appended: waiting });
    const trace = { requestId, ...(traceparent !== undefined && { traceparent }), ...(audit && { audit }) };
    const occasion = { messageId, profileId, organizationId, actor, ...trace };
    const { outcome, state, appended } = await journal.record(occasion, command);
    if (outcome === 'guarded' || !isKnown(state)) throw await this.#refusal(order);
    return { message: state, isRepeat: outcome !== 'appended', appended };
  }

  /** To the owner of the lane: this replica, another one, or for a while nobody. */
  async #follow(first: SendOrder, context: RequestContext, found: LastMessage | undefined): Promise<SendAnswer> {
    const { clock, lanes, owners } = this.#parts;
    const { profileId } = first.draft;
    const patience = (): number => Math.min(clock.now() + handOverTime, context.deadline - answerTime);
    let order = first;
    let last = found;
    let hasMoved = false;
    for (let until = patience(); ; await clock.sleep(pause)) {
      try {
        const lane = owners.knows(profileId) ? undefined : await lanes.find(profileId, order.organizationId);
        if (lane !== undefined) return await this.#here(order, lane, context, last);
        const answer = await this.#elsewhere(order, context, last);
        if (answer !== undefined) return answer;
      } catch (error) {
        // Of what may have been accepted already, the database will tell when it is back.
        if (!isPassing(error) && !(hasMoved && isUnavailable(error))) throw error;
        hasMoved = true;
        order = { ...order, repeated: true };
        if (!(error instanceof Lost)) until = patience();
      }
      last = undefined;
      if (clock.now() >= until || owners.isClosed) return this.#tooLate(order, context, hasMoved);
    }
  }

  /** In the process that owns the lane. The same id again meets the same message and is answered with its state. */
  async #here(order: SendOrder, lane: Lane, context: RequestContext, found?: LastMessage): Promise<SendAnswer> {
    if (!order.repeated) return this.#begin(order, lane, order.messageId, context);
    const { messageId, message } = found ?? (await lastMessageOf(this.#parts.store, order.messageId));
    if (message === undefined) return this.#begin(order, lane, messageId, context);
    remind(lane, message);
    return this.#answerLater(message, context);
  }

  async #begin(order: SendOrder, lane: Lane, messageId: string, context: RequestContext): Promise<SendAnswer> {
    const { lanes, mode: usual } = this.#parts;
    const { mode = usual } = order.draft;
    const isNow = mode === 'synchronous';
    if (isNow && lane.connection.state !== 'connected') {
      const profile = await this.#profileOf(lane, context);
      if (profile?.status !== 'connected') return this.#refuse(messageId, profileNotConnected(profile), context);
    }
    const refusal = isNow ? await lane.hold.refusalOf(order.draft.to) : undefined;
    if (refusal !== undefined) return this.#refuse(messageId, refusal, context);
    const present = lanes.present(lane);
    if (present === undefined) throw moved();
    const append = (): Promise<Accepted> => this.append(order, messageId, context);
    if (!isNow) {
      const { message, appended } = taken(await present.admit(messageId, context.deadline, append), present);
      context.appended(appended);
      return answerTo(message);
    }
    const wait = this.#waitFor(messageId, lane.profileId, ({ status }) => status !== 'accepted', context);
    try {
      const { message, isRepeat } = taken(await present.admit(messageId, context.deadline, append), present);
      if (!isRepeat) return answerWith((await told(wait)) ?? message, lane);
      if (!isTriedAnew(message)) return await this.#answerLater(message, context);
    } finally {
      wait.stop();
    }
    const next = await lastMessageOf(this.#parts.store, messageId);
    if (next.message !== undefined) return this.#answerLater(next.message, context);
    return this.#begin(order, lane, next.messageId, context);
  }

  async #profileOf(lane: Lane, { requestId, traceparent }: RequestContext): ReturnType<typeof askProfile> {
    const asking = { requestId, traceparent, timeoutMs: connectionTime };
    const profile = await askProfile(this.#parts, lane, asking);
    if (profile !== undefined) {
      lane.connection.seen(profile.status === 'connected', this.#parts.clock.now());
      lane.gate.describe(profile);
    }
    return profile;
  }

  /** Nothing is made and no place is taken, unless the same request had made a message before. */
  async #refuse(messageId: string, refusal: Refused, context: RequestContext): Promise<SendAnswer> {
    const { message } = await lastMessageOf(this.#parts.store, messageId);
    if (message !== undefined) return this.#answerLater(message, context);
    throw refusal;
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

  /** In another process that owns the lane. @returns undefined when nobody can be asked now */
  async #elsewhere(
    order: SendOrder,
    context: RequestContext,
    found: LastMessage | undefined,
  ): Promise<SendAnswer | undefined> {
    const { owners, store } = this.#parts;
    const { draft, ...about } = order;
    const { message } = order.repeated ? (found ?? (await lastMessageOf(store, order.messageId))) : {};
    // What a message of before has come to, if its lane has no part in the answer any more.
    if (message !== undefined && !(isOpen(message) && message.mode === 'synchronous')) {
      if (isOpen(message)) this.#mention(order);
      return answerTo(message);
    }
    const owner = await owners.ownerOf(draft.profileId);
    if (owner !== undefined) return owners.pass(owner, { ...draft, ...about }, context);
    return this.#isDurable(order) ? this.#store(order, context) : undefined;
  }

  /** Stores a message whose lane nobody owns, nor may this process: it waits in the table for the next owner. */
  async #store(order: SendOrder, context: RequestContext): Promise<SendAnswer> {
    const { message, appended } = await this.append(order, order.messageId, context);
    context.appended(appended);
    this.#mention(order);
    return answerTo(message);
  }

  /** The answer when nobody has taken the lane in time. */
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

  #isDurable({ draft: { mode = this.#parts.mode } }: SendOrder): boolean {
    return mode === 'durable';
  }

  /** Tells the owner of the lane, which may have read the table before. */
  #mention({ draft: { profileId }, organizationId }: SendOrder): void {
    this.#parts.owners.mention({ profileId, organizationId });
  }

  /** Why the gate gave no place: the profile is gone, or its day is full. */
  async #refusal(order: SendOrder): Promise<Refused> {
    const record = await this.#openRecord(order);
    this.#parts.limited();
    return this.#parts.dailyLimit.refusal(record);
  }

  /** @throws Refused NOT_FOUND when the organization has no such profile */
  async #openRecord({ draft: { profileId }, organizationId }: SendOrder) {
    const record = await this.#parts.records.find(profileId);
    if (record === undefined || record.closed || record.organizationId !== organizationId)
      throw new Refused('NOT_FOUND', 'There is no such profile.');
    return record;
  }
}

/** `answerTo`, where a refusal of a held message says what it waits for. */
function answerWith(message: KnownMessage, { hold }: Lane): SendAnswer {
  const refusal = hold.refusalFor(message);
  if (refusal !== undefined) throw refusal;
  return answerTo(message);
}

/** Tells the lane of an open message that it does not know: the process that accepted it may have died before it could. */
function remind(lane: Lane, message: KnownMessage): void {
  if (isOpen(message) && !lane.queue.knows(message.facts.messageId)) lane.suspect();
}

/** @throws Refused `moved`: whoever owns the lane by now is told of the message by the repeat of the request */
function taken(accepted: Accepted, lane: Lane): Accepted {
  if (!lane.tenure.isOwned()) throw moved();
  if (accepted.isRepeat) remind(lane, accepted.message);
  return accepted;
}

const isPassing = (error: unknown): boolean => isMoved(error) || error instanceof Lost;

/** A message whose outcome the client waits for. */
const isAwaited = ({ status, mode }: KnownMessage): boolean =>
  status === 'unknown' || (status === 'accepted' && mode === 'synchronous');

/** @throws Refused `moved` */
async function told({ outcome }: Wait): Promise<KnownMessage | undefined> {
  const message = await outcome;
  if (message === 'moved') throw moved();
  return message;
}
