import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import {
  type Failure,
  isChange,
  type KnownMessage,
  type MessageEvent,
  type MessageFacts,
  type SendMode,
} from '../message/message.ts';

/** Facts by which a lane decides what comes next. Times in milliseconds since 1970. */
export interface LaneSight {
  readonly now: number;
  /** In the order of acceptance, without those being handed over or recorded. */
  readonly entries: readonly OpenMessage[];
  /** `messageDelayMs` after the previous hand-over. */
  readonly gateOpensAt: number;
  /** `unknown` is tried like `connected`. */
  readonly connection: 'connected' | 'unknown' | 'disconnected';
  /** When a lane that waits for its connection looks again by itself. */
  readonly lookAgainAt: number;
  readonly closed: boolean;
  /** Today's limit is used up (it was lowered after acceptance). */
  readonly overLimit: boolean;
  /** How long a queued message waits before it expires, milliseconds. */
  readonly timeToLive: number;
  /** Messages to strangers may not be sent now. */
  readonly hold?: {
    /** When the lane looks again, milliseconds since 1970. */
    readonly lookAgainAt: number;
    of(entry: OpenMessage): Standing;
  };
}

/** `held`: the message waits, without an attempt. A failure: somebody is told now that it cannot be sent. */
export type Standing = 'allowed' | 'held' | Failure;

export type Step =
  | { readonly do: 'deliver' | 'ask'; readonly entry: OpenMessage }
  | { readonly do: 'abandon'; readonly entry: OpenMessage };

export interface Agenda {
  /** Ends now, whatever else the lane does. */
  readonly givenUp: readonly { readonly entry: OpenMessage; readonly failure: Failure }[];
  /** The one thing to do next; absent: nothing now. */
  readonly next?: Step;
  /** When to look again; absent: only when something happens. */
  readonly wakeAt?: number;
}

export const failures = {
  deleted: { code: 'NOT_FOUND', message: 'The profile was deleted.' },
  withdrawn: { code: 'ENGINE_TIMEOUT', message: 'The message waited too long for its turn and will not be sent.' },
  expired: { code: 'EXPIRED', message: 'The message could not go out in time.' },
  disconnected: { code: 'PROFILE_NOT_CONNECTED', message: 'The profile is not connected.' },
  overLimit: { code: 'DAILY_LIMIT_REACHED', message: 'The profile has reached its daily message limit.' },
} as const satisfies Record<string, Failure>;

/**
 * An unsettled message holds up its lane for so many settlements; then the other chats go on, and it is tried now and
 * then. Its own chat waits for it for a while: whether it has left or will leave yet, what comes after it comes after it.
 */
const holdingSettlements = 3;
/** How long a chat waits for an unsettled message, milliseconds; then what comes after it may overtake it. */
const chatPatience = 600_000;

/** From then on the chat goes on without it. */
const chatGoesOnAt = ({ unsettledSince }: OpenMessage): number =>
  unsettledSince === undefined ? Infinity : unsettledSince + chatPatience;

/** The next steps of a lane. Pure. */
export function agenda(sight: LaneSight): Agenda {
  const givenUp: { entry: OpenMessage; failure: Failure }[] = [];
  const left: OpenMessage[] = [];
  for (const entry of sight.entries) {
    const failure = reasonToGiveUp(entry, sight);
    if (failure === undefined) left.push(entry);
    else givenUp.push({ entry, failure });
  }
  const next = nextOf(left, sight);
  const isReady = next !== undefined && (next.do !== 'deliver' || mayPass(next.entry, sight));
  if (isReady && next.entry.phase === 'waiting' && next.entry.isChange !== true && sight.overLimit) {
    return { givenUp: [...givenUp, { entry: next.entry, failure: failures.overLimit }], wakeAt: sight.now };
  }
  const alarm = alarmOf(left, sight, next === undefined || isReady ? Infinity : sight.gateOpensAt);
  return { givenUp, ...(isReady && { next }), ...(alarm !== Infinity && { wakeAt: alarm }) };
}

function reasonToGiveUp(entry: OpenMessage, sight: LaneSight): Failure | undefined {
  if (entry.phase !== 'waiting' || isResting(entry, sight.now)) return undefined;
  if (sight.closed) return failures.deleted;
  const standing = sight.hold?.of(entry);
  if (typeof standing === 'object') return standing;
  if (entry.mode === 'durable') return sight.now >= expiryOf(entry, sight) ? failures.expired : undefined;
  if (sight.connection === 'disconnected') return failures.disconnected;
  return entry.turnBy !== undefined && sight.now >= entry.turnBy ? failures.withdrawn : undefined;
}

/** A queued message is not handed over from then on. */
const expiryOf = ({ acceptedAt, expiresAt = Infinity }: OpenMessage, { timeToLive }: LaneSight): number =>
  Math.min(acceptedAt + timeToLive, expiresAt);

function nextOf(entries: readonly OpenMessage[], sight: LaneSight): Step | undefined {
  const unsettled = entries.filter((entry) => entry.phase !== 'waiting');
  for (const entry of unsettled) {
    // What may have left is asked for, and not handed over again.
    if (entry.phase === 'repeat' && !isAllowed(entry, sight)) continue;
    const step = settlementOf(entry, sight);
    if (step !== undefined) return step;
    if (entry.settlements < holdingSettlements) return undefined;
  }
  if (sight.connection === 'disconnected') return undefined;
  return deliveryOf(entries, sight);
}

/**
 * The first message that is due, in the order of its chat. While the gate is shut for it, a change of a message in another
 * chat goes before it, or in the same chat when no message waits there.
 */
function deliveryOf(entries: readonly OpenMessage[], sight: LaneSight): Step | undefined {
  const heldChats = new Set<string>();
  let first: OpenMessage | undefined;
  for (const entry of entries) {
    if (heldChats.has(entry.conversationId)) continue;
    if (entry.phase !== 'waiting') {
      if (sight.now < chatGoesOnAt(entry)) heldChats.add(entry.conversationId);
      continue;
    }
    if (!isAllowed(entry, sight)) {
      heldChats.add(entry.conversationId);
      continue;
    }
    const isDue = !isResting(entry, sight.now) && (entry.dueAt === undefined || sight.now >= entry.dueAt);
    if (isDue && mayPass(entry, sight)) return { do: 'deliver', entry };
    if (isDue) first ??= entry;
    heldChats.add(entry.conversationId);
  }
  return first === undefined ? undefined : { do: 'deliver', entry: first };
}

const isAllowed = (entry: OpenMessage, { hold }: LaneSight): boolean =>
  hold === undefined || hold.of(entry) === 'allowed';

const mayPass = ({ isChange }: OpenMessage, { now, gateOpensAt }: LaneSight): boolean =>
  isChange === true || now >= gateOpensAt;

function settlementOf(entry: OpenMessage, sight: LaneSight): Step | undefined {
  const { now } = sight;
  if (isResting(entry, now)) return undefined;
  const patienceOver = now >= entry.acceptedAt + sight.timeToLive && entry.settlements >= holdingSettlements;
  if (sight.closed || patienceOver) return { do: 'abandon', entry };
  if (entry.dueAt !== undefined && now < entry.dueAt) return undefined;
  if (entry.phase === 'unsettled') return { do: 'ask', entry };
  return sight.connection === 'disconnected' ? undefined : { do: 'deliver', entry };
}

/** The first moment at which something changes by itself. */
function alarmOf(entries: readonly OpenMessage[], sight: LaneSight, first: number): number {
  let alarm = first;
  for (const entry of entries) {
    const { dueAt, turnBy, phase, mode, rest } = entry;
    if (rest !== undefined && isResting(entry, sight.now)) {
      alarm = Math.min(alarm, rest.until);
      continue;
    }
    if (dueAt !== undefined && dueAt > sight.now && dueAt < alarm) alarm = dueAt;
    if (phase !== 'waiting') {
      const goesOnAt = chatGoesOnAt(entry);
      if (goesOnAt > sight.now && goesOnAt < alarm) alarm = goesOnAt;
      continue;
    }
    if (turnBy !== undefined && turnBy < alarm) alarm = turnBy;
    if (mode === 'durable') alarm = Math.min(alarm, expiryOf(entry, sight));
  }
  if (sight.hold !== undefined && entries.length > 0) alarm = Math.min(alarm, sight.hold.lookAgainAt);
  return sight.connection === 'disconnected' && entries.length > 0 ? Math.min(alarm, sight.lookAgainAt) : alarm;
}

/** A synchronous send waits for its turn so long, milliseconds. */
const turnPatience = 60_000;

/** Whom the network does not acknowledge is handed over again so often; then it is only asked for. */
export const mostRepeats = 10;

const longestRest = 60_000;

/**
 * A message that its lane still has something to do for: what its row of `queue` says, followed by the events of the journal,
 * and what this process has tried with it. Times in milliseconds since 1970.
 */
export interface OpenMessage {
  readonly messageId: string;
  /** A waiting retry holds up this chat only. */
  readonly conversationId: string;
  readonly mode: SendMode;
  /** The change of a message that exists: waits for no delay and takes no place (docs/decisions/0351). */
  readonly isChange?: boolean;
  readonly acceptedAt: number;
  /** Queued, it is not handed over from then on, should it not have expired before. */
  readonly expiresAt?: number;
  /** A synchronous message that has not been handed over by then is withdrawn. */
  readonly turnBy?: number;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** How it was accepted, while somebody waits in this process for what becomes of it. */
  readonly accepted?: AcceptedMessage;
  /** Content and receiver; read from the journal when the turn comes if it is not at hand. */
  parcel?: Parcel;
  /**
   * `waiting`: not handed over. `unsettled`: it may have left; sessions is asked first.
   * `repeat`: sessions says that it may have left: hand it over again under the same network id.
   */
  phase: 'waiting' | 'unsettled' | 'repeat';
  /** Being handed over, asked for or recorded: nothing else is done with it meanwhile. */
  isInHand?: boolean;
  /** Attempts that the network has refused. */
  attempts: number;
  /** Earliest time of the next step: the wait of a retry or of a further settlement. */
  dueAt?: number;
  /** Attempts to settle it since the connection came back. */
  settlements: number;
  /** How often it was handed over again under its network id; never more than `mostRepeats`. */
  repeats?: number;
  /** When its outcome was lost here for the first time. */
  unsettledSince?: number;
  /** Unforeseen errors met with it, and when something is done with it again. */
  rest?: { readonly errors: number; readonly until: number };
  /** It waits for the end of a restriction. */
  isHeld?: boolean;
  /** It was handed over last as a message to a person who has written. */
  isKnownChat?: boolean;
  /** The network refused it because of a restriction although the person has written: it waits until then. */
  restrictedUntil?: number;
  /** Only an owner that is gone knows whether the message was handed over, and nothing tells yet. */
  isUnaccounted?: boolean;
}

export interface AcceptedMessage {
  readonly message: KnownMessage;
  readonly event: RecordedEvent;
}

export interface Parcel {
  readonly facts: MessageFacts;
  readonly content: OutgoingContentOf;
}

/** Rows that the table may hold of a lane: none, those that an owner left in order, or those of an owner that is gone. */
export type Past = 'nothing' | 'left' | 'gone';

/** A row of `queue`. */
export interface QueueRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly mode: SendMode;
  readonly accepted_at: Date;
  readonly outcome_lost: boolean;
  readonly attempts: number;
  readonly due_at: Date | null;
  readonly traceparent: string | null;
  readonly is_change: boolean;
  readonly expires_at: Date | null;
}

/** A message that was accepted just now. @param deadline of whoever waits for it */
export function openedBy(message: KnownMessage, event: RecordedEvent, deadline = Infinity): OpenMessage {
  const { mode, facts, content, terms } = message;
  const { requestId, traceparent } = event.metadata;
  const acceptedAt = Date.parse(message.acceptedAt);
  return {
    messageId: facts.messageId,
    conversationId: facts.conversationId,
    mode,
    ...(isChange(facts.type) && { isChange: true }),
    acceptedAt,
    ...(terms?.expiresAt !== undefined && { expiresAt: Date.parse(terms.expiresAt) }),
    ...(mode === 'synchronous' && {
      turnBy: Math.min(acceptedAt + turnPatience, deadline),
      accepted: { message, event },
    }),
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
    parcel: { facts, content },
    phase: 'waiting',
    attempts: 0,
    settlements: 0,
  };
}

/**
 * A message that stands in the table. A synchronous one that is there only is on nobody's mind any more. Its owner is gone:
 * it may have left. Its owner left in order: it was not handed over, and whoever asked for it has moved along.
 */
export function openedFrom(row: QueueRow, past: Past): OpenMessage {
  const acceptedAt = row.accepted_at.getTime();
  const isUnaccounted = row.mode === 'synchronous' && !row.outcome_lost && past !== 'left';
  return {
    messageId: row.message_id,
    conversationId: row.conversation_id,
    mode: row.mode,
    ...(row.is_change && { isChange: true }),
    acceptedAt,
    ...(row.expires_at !== null && { expiresAt: row.expires_at.getTime() }),
    phase: row.outcome_lost || isUnaccounted ? 'unsettled' : 'waiting',
    ...(row.mode === 'synchronous' && { turnBy: acceptedAt + turnPatience }),
    ...(row.due_at !== null && { dueAt: row.due_at.getTime() }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(isUnaccounted && { isUnaccounted }),
    attempts: row.attempts,
    settlements: 0,
  };
}

/** Changes a message by an event of the journal. @returns whether the lane still has something to do for it */
export function follow(message: OpenMessage, event: MessageEvent): boolean {
  switch (event.type) {
    case 'MessageSent':
    case 'MessageFailed':
    case 'SettlementAbandoned':
      return false;
    case 'OutcomeLost':
      if (message.phase === 'waiting') message.phase = 'unsettled';
      return true;
    case 'DeliveryAttemptFailed':
      message.attempts = event.data.attempt;
      message.dueAt = Date.parse(event.data.nextAttemptAt);
      return true;
    case 'MessageAccepted':
    case 'ReceiptRecorded':
      return true;
  }
}

/** Lets a message rest after an unforeseen error: longer after each, at most a minute. */
export function letRest(message: OpenMessage, now: number): void {
  const errors = (message.rest?.errors ?? 0) + 1;
  message.rest = { errors, until: now + Math.min(1000 * 2 ** (errors - 1), longestRest) };
  // What cannot be settled holds up its lane no longer than any other.
  if (message.phase !== 'waiting') message.settlements += 1;
}

const isResting = ({ rest }: OpenMessage, now: number): boolean => rest !== undefined && now < rest.until;
