import type { BroadcastFailedReason, BroadcastMessageOf, QuietHoursOf } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Static } from 'typebox';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type Recipients =
  | { readonly type: 'all' }
  | { readonly type: 'tags'; readonly value: readonly string[] }
  | { readonly type: 'contacts'; readonly value: readonly string[] };

export interface Settings {
  /** Milliseconds. */
  readonly delayMin: number;
  readonly delayMax: number;
  /** Recipients that are read at a time. */
  readonly batchSize: number;
  readonly retryFailed: boolean;
  readonly retryAttempts: number;
}

/** A broadcast as it was asked for. Times in ISO 8601. */
export interface BroadcastFacts {
  readonly broadcastId: string;
  readonly profileId: string;
  readonly name: string;
  readonly message: BroadcastMessageOf;
  readonly recipients: Recipients;
  readonly settings: Settings;
  readonly quietHours?: QuietHoursOf;
  readonly createdAt: string;
  /** `user:…` or `api_key:…` */
  readonly actor: string;
}

/** The message of a broadcast, once it is fixed: texts with the placeholders that each recipient fills. */
export interface FixedMessage {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** In place of `content.text`, by the number of the variant. */
  readonly variants?: readonly { readonly name: string; readonly text: string; readonly weight: number }[];
  readonly link?: string;
  readonly templateId?: string;
}

/** The recipients as they were when it started: rows of a table, under an id of their own. */
interface Fixed {
  readonly audienceId: string;
  readonly total: number;
  /** Of them, left out at the start. */
  readonly skipped: number;
  /** Different time zones of those who are left, as keys of `zoneKeyOf`. */
  readonly zones: readonly string[];
  readonly message: FixedMessage;
}

interface Counts {
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
}

export type FailReason = Static<typeof BroadcastFailedReason>;

type Ended = Counts & { readonly broadcastId: string; readonly at: string };
type Named = { readonly broadcastId: string };

export type BroadcastEvent =
  | Fact<'BroadcastDrafted', BroadcastFacts>
  | Fact<'BroadcastChanged', BroadcastFacts & { readonly at: string }>
  | Fact<'BroadcastScheduled', Named & { readonly scheduledAt: string; readonly at: string }>
  | Fact<'BroadcastStarted', Named & Fixed & { readonly profileId: string; readonly at: string }>
  | Fact<
      'BroadcastPaused',
      Named & { readonly reason: 'user' | 'daily_limit'; readonly resumesAt?: string; readonly at: string }
    >
  | Fact<'BroadcastResumed', Named & { readonly at: string }>
  | Fact<'BroadcastCancelled', Ended>
  | Fact<'BroadcastCompleted', Ended>
  | Fact<'BroadcastFailed', Ended & { readonly reason: FailReason }>
  | Fact<'BroadcastDeleted', Named & { readonly at: string }>;

type At = { readonly at: number };

/** Times in milliseconds since 1970. */
export type BroadcastCommand =
  | { readonly type: 'Draft'; readonly facts: BroadcastFacts }
  | ({ readonly type: 'Change'; readonly facts: BroadcastFacts } & At)
  | ({ readonly type: 'Schedule'; readonly scheduledAt: number } & At)
  | ({ readonly type: 'Start'; readonly fixed: Fixed } & At)
  /** Of one that is paused, by whomever. */
  | ({ readonly type: 'Resume' } & At)
  | ({ readonly type: 'Pause' } & At)
  /** The broadcast's profile may send no more today. */
  | ({ readonly type: 'HitLimit'; readonly resumesAt: number } & At)
  | ({ readonly type: 'Cancel'; readonly counts: Counts } & At)
  | ({ readonly type: 'Complete'; readonly counts: Counts } & At)
  | ({ readonly type: 'Fail'; readonly reason: FailReason; readonly counts: Counts } & At)
  | ({ readonly type: 'Delete' } & At);

type EndStatus = 'completed' | 'cancelled' | 'failed';
export type BroadcastStatus = 'draft' | 'scheduled' | 'running' | 'paused' | EndStatus;

export interface KnownBroadcast {
  readonly status: BroadcastStatus;
  readonly facts: BroadcastFacts;
  readonly pausedReason?: 'user' | 'daily_limit';
  readonly fixed?: Fixed;
}

export type Broadcast = { readonly status: 'none' } | KnownBroadcast;

export const isKnown = (broadcast: Broadcast): broadcast is KnownBroadcast => broadcast.status !== 'none';

const iso = (time: number): string => new Date(time).toISOString();
const ends: ReadonlySet<BroadcastStatus> = new Set(['completed', 'cancelled', 'failed']);
export const hasEnded = (status: BroadcastStatus): boolean => ends.has(status);
export const isPlanned = ({ status }: KnownBroadcast): boolean => status === 'draft' || status === 'scheduled';

/** Commands of clients, and the states in which each may be given. */
const allowed: Partial<Record<BroadcastCommand['type'], readonly BroadcastStatus[]>> = {
  Change: ['draft', 'scheduled'],
  Schedule: ['draft', 'scheduled'],
  Start: ['draft', 'scheduled'],
  Resume: ['paused'],
  Cancel: ['scheduled', 'running', 'paused'],
  Delete: ['draft', 'scheduled', 'paused', 'completed', 'cancelled', 'failed'],
};

function decide(command: BroadcastCommand, state: Broadcast): readonly BroadcastEvent[] {
  if (command.type === 'Draft') return isKnown(state) ? [] : [{ type: 'BroadcastDrafted', data: command.facts }];
  if (!isKnown(state)) throw new Refused('NOT_FOUND', 'There is no such broadcast.');
  const { broadcastId, profileId } = state.facts;
  if (allowed[command.type]?.includes(state.status) === false) throw notNow(state.status);
  const at = iso(command.at);
  switch (command.type) {
    case 'Change':
      return [{ type: 'BroadcastChanged', data: { ...command.facts, at } }];
    case 'Schedule':
      return [{ type: 'BroadcastScheduled', data: { broadcastId, scheduledAt: iso(command.scheduledAt), at } }];
    case 'Start':
      return [{ type: 'BroadcastStarted', data: { broadcastId, profileId, ...command.fixed, at } }];
    case 'Resume':
      return [{ type: 'BroadcastResumed', data: { broadcastId, at } }];
    case 'Pause':
      // One that waits for the daily limit waits for the user from now on.
      if (state.status !== 'running' && state.pausedReason !== 'daily_limit') throw notNow(state.status);
      return [{ type: 'BroadcastPaused', data: { broadcastId, reason: 'user', at } }];
    case 'HitLimit': {
      if (state.status !== 'running') return [];
      const resumesAt = iso(command.resumesAt);
      return [{ type: 'BroadcastPaused', data: { broadcastId, reason: 'daily_limit', resumesAt, at } }];
    }
    case 'Cancel':
      return [{ type: 'BroadcastCancelled', data: { broadcastId, ...command.counts, at } }];
    case 'Complete':
      if (state.status !== 'running' && state.status !== 'paused') return [];
      return [{ type: 'BroadcastCompleted', data: { broadcastId, ...command.counts, at } }];
    case 'Fail':
      if (hasEnded(state.status) || state.status === 'draft') return [];
      return [{ type: 'BroadcastFailed', data: { broadcastId, ...command.counts, reason: command.reason, at } }];
    case 'Delete':
      return [{ type: 'BroadcastDeleted', data: { broadcastId, at } }];
  }
}

const notNow = (status: BroadcastStatus): Refused => new Refused('CONFLICT', `The broadcast is ${status}.`, { status });

function evolve(state: Broadcast, event: BroadcastEvent): Broadcast {
  if (event.type === 'BroadcastDrafted') return { status: 'draft', facts: event.data };
  if (!isKnown(state)) return state;
  const { pausedReason: _, ...unpaused } = state;
  switch (event.type) {
    case 'BroadcastChanged': {
      const { at: __, ...facts } = event.data;
      return { ...state, facts };
    }
    case 'BroadcastScheduled':
      return { ...state, status: 'scheduled' };
    case 'BroadcastStarted': {
      const { audienceId, total, skipped, zones, message } = event.data;
      return { ...state, status: 'running', fixed: { audienceId, total, skipped, zones, message } };
    }
    case 'BroadcastPaused':
      return { ...state, status: 'paused', pausedReason: event.data.reason };
    case 'BroadcastResumed':
      return { ...unpaused, status: 'running' };
    case 'BroadcastCancelled':
      return { ...unpaused, status: 'cancelled' };
    case 'BroadcastCompleted':
      return { ...unpaused, status: 'completed' };
    case 'BroadcastFailed':
      return { ...unpaused, status: 'failed' };
    case 'BroadcastDeleted':
      return { status: 'none' };
  }
}

/** A message for many people, from its draft to its end. What becomes of each recipient stands in a table. */
export const broadcast: Decider<Broadcast, BroadcastCommand, BroadcastEvent> = {
  initial: { status: 'none' },
  decide,
  evolve,
};

/** `broadcast-<broadcastId>`: name, texts and ids of recipients are personal data of the organization. */
export const broadcastStream: StreamType<Broadcast, BroadcastCommand, BroadcastEvent> = {
  name: 'broadcast',
  decider: broadcast,
  events: {
    BroadcastDrafted: { version: 1, personal: ['name', 'message', 'recipients'] },
    BroadcastChanged: { version: 1, personal: ['name', 'message', 'recipients'] },
    BroadcastScheduled: { version: 1 },
    BroadcastStarted: { version: 1, personal: ['message'] },
    BroadcastPaused: { version: 1 },
    BroadcastResumed: { version: 1 },
    BroadcastCancelled: { version: 1 },
    BroadcastCompleted: { version: 1 },
    BroadcastFailed: { version: 1 },
    BroadcastDeleted: { version: 1 },
  },
};
