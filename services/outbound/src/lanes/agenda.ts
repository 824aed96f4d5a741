import type { Failure } from '../message/message-events.ts';
import type { LaneEntry } from './lane-entry.ts';

/** What the lane knows when it decides what comes next. Times in milliseconds since 1970. */
export interface LaneSight {
  readonly now: number;
  /** In the order of acceptance, without those being handed over or recorded. */
  readonly entries: readonly LaneEntry[];
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
  | { readonly do: 'deliver' | 'ask'; readonly entry: LaneEntry }
  | { readonly do: 'abandon'; readonly entry: LaneEntry };

export interface Agenda {
  /** Ends now, whatever else the lane does. */
  readonly givenUp: readonly { readonly entry: LaneEntry; readonly failure: Failure }[];
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

/** An unsettled message holds up its lane for so many settlements; then the others go on, and it is tried now and then. */
export const holdingSettlements = 3;

/** What a lane does next (architecture §5.3, §5.5). Pure. */
export function agenda(sight: LaneSight): Agenda {
  const givenUp = sight.entries.flatMap((entry) => {
    const failure = reasonToGiveUp(entry, sight);
    return failure === undefined ? [] : [{ entry, failure }];
  });
  const ended = new Set(givenUp.map(({ entry }) => entry));
  const left = givenUp.length === 0 ? sight.entries : sight.entries.filter((entry) => !ended.has(entry));
  const candidate = nextOf(left, sight);
  const ready = candidate !== undefined && (candidate.do !== 'deliver' || sight.now >= sight.gateOpensAt);
  if (ready && candidate.entry.phase === 'waiting' && sight.overLimit) {
    return { givenUp: [...givenUp, { entry: candidate.entry, failure: failures.overLimit }], wakeAt: sight.now };
  }
  if (ready) return { givenUp, next: candidate, ...wake(alarms(left, sight)) };
  return { givenUp, ...wake([...alarms(left, sight), ...(candidate === undefined ? [] : [sight.gateOpensAt])]) };
}

const wake = (times: readonly number[]): { wakeAt?: number } => (times.length === 0 ? {} : { wakeAt: Math.min(...times) });

function reasonToGiveUp(entry: LaneEntry, sight: LaneSight): Failure | undefined {
  if (entry.phase !== 'waiting') return undefined;
  if (sight.closed) return failures.deleted;
  if (entry.mode === 'durable') return sight.now >= entry.acceptedAt + sight.timeToLive ? failures.expired : undefined;
  if (sight.connection === 'disconnected') return failures.disconnected;
  return entry.turnBy !== undefined && sight.now >= entry.turnBy ? failures.withdrawn : undefined;
}

function nextOf(entries: readonly LaneEntry[], sight: LaneSight): Step | undefined {
  const { now } = sight;
  const unsettled = entries.filter((entry) => entry.phase !== 'waiting');
  for (const entry of unsettled) {
    const step = settlementOf(entry, sight);
    if (step !== undefined) return step;
    if (entry.settlements < holdingSettlements) return undefined;
  }
  if (sight.connection === 'disconnected') return undefined;
  const heldChats = new Set<string>();
  for (const entry of entries) {
    if (entry.phase !== 'waiting' || heldChats.has(entry.conversationId)) continue;
    if (entry.dueAt === undefined || now >= entry.dueAt) return { do: 'deliver', entry };
    heldChats.add(entry.conversationId);
  }
  return undefined;
}

function settlementOf(entry: LaneEntry, sight: LaneSight): Step | undefined {
  const { now } = sight;
  const patienceOver = now >= entry.acceptedAt + sight.timeToLive && entry.settlements >= holdingSettlements;
  if (sight.closed || patienceOver) return { do: 'abandon', entry };
  if (entry.dueAt !== undefined && now < entry.dueAt) return undefined;
  if (entry.phase === 'unsettled') return { do: 'ask', entry };
  return sight.connection === 'disconnected' ? undefined : { do: 'deliver', entry };
}

function alarms(entries: readonly LaneEntry[], sight: LaneSight): number[] {
  const times: number[] = [];
  for (const entry of entries) {
    if (entry.dueAt !== undefined && entry.dueAt > sight.now) times.push(entry.dueAt);
    if (entry.phase === 'waiting' && entry.turnBy !== undefined) times.push(entry.turnBy);
    if (entry.phase === 'waiting' && entry.mode === 'durable') times.push(entry.acceptedAt + sight.timeToLive);
  }
  if (sight.connection === 'disconnected' && entries.length > 0) times.push(sight.lookAgainAt);
  return times;
}
