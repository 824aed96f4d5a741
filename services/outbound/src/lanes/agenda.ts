import type { Failure } from '../message/message-events.ts';
import { isResting, type OpenMessage } from './open-message.ts';

/** What the lane knows when it decides what comes next. Times in milliseconds since 1970. */
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
  /** What may be handed over today has been (the limit was lowered after acceptance). */
  readonly overLimit: boolean;
  /** How long a queued message waits before it expires, milliseconds. */
  readonly timeToLive: number;
}

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

/** What a lane does next. Pure. */
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
  if (entry.mode === 'durable') return sight.now >= entry.acceptedAt + sight.timeToLive ? failures.expired : undefined;
  if (sight.connection === 'disconnected') return failures.disconnected;
  return entry.turnBy !== undefined && sight.now >= entry.turnBy ? failures.withdrawn : undefined;
}

function nextOf(entries: readonly OpenMessage[], sight: LaneSight): Step | undefined {
  const unsettled = entries.filter((entry) => entry.phase !== 'waiting');
  for (const entry of unsettled) {
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
    const isDue = !isResting(entry, sight.now) && (entry.dueAt === undefined || sight.now >= entry.dueAt);
    if (isDue && mayPass(entry, sight)) return { do: 'deliver', entry };
    if (isDue) first ??= entry;
    heldChats.add(entry.conversationId);
  }
  return first === undefined ? undefined : { do: 'deliver', entry: first };
}

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
    const { dueAt, turnBy, phase, mode, acceptedAt, rest } = entry;
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
    if (mode === 'durable' && acceptedAt + sight.timeToLive < alarm) alarm = acceptedAt + sight.timeToLive;
  }
  return sight.connection === 'disconnected' && entries.length > 0 ? Math.min(alarm, sight.lookAgainAt) : alarm;
}
