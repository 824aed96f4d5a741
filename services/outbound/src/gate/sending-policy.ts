import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

export type SendingPolicyApplied = { readonly type: 'SendingPolicyApplied'; readonly data: OwnedPolicy };
export type PolicyEvent =
  | SendingPolicyApplied
  | { readonly type: 'DailyLimitReached'; readonly data: LimitReached & { readonly profileId: string } }
  | { readonly type: 'LaneClosed'; readonly data: OwnedPolicy };

type OwnedPolicy = SendingPolicy & { readonly profileId: string; readonly organizationId: string };

/** Delay and daily limit of a profile's send gate. */
export interface SendingPolicy {
  readonly messageDelayMs: number;
  /** Absent: no limit. */
  readonly dailyMessageLimit?: number;
}

interface LimitReached {
  /** `YYYY-MM-DD` in Asia/Jakarta. */
  readonly day: string;
  readonly limit: number;
  readonly count: number;
  /** With the offset +07:00. */
  readonly resetAt: string;
}

export type PolicyCommand =
  | {
      readonly type: 'ApplyPolicy';
      readonly profileId: string;
      readonly organizationId: string;
      readonly messageDelayMs?: number | undefined;
      /** `null` takes the limit away; absent leaves it as it is. */
      readonly dailyMessageLimit?: number | null | undefined;
    }
  | { readonly type: 'MakeLane'; readonly profileId: string; readonly organizationId: string }
  | ({ readonly type: 'ReachDailyLimit'; readonly profileId: string } & LimitReached)
  | { readonly type: 'CloseLane'; readonly profileId: string };

/** The policy of a profile; `none` before it has a lane. */
export type KnownPolicy =
  | { readonly status: 'none' }
  | {
      readonly status: 'open' | 'closed';
      readonly organizationId: string;
      readonly policy: SendingPolicy;
      /** The day on which the limit was last told to be reached. */
      readonly limitToldOn?: string;
    };

const unlimited: SendingPolicy = { messageDelayMs: 1500 };

function decide(command: PolicyCommand, state: KnownPolicy): readonly PolicyEvent[] {
  const { profileId } = command;
  switch (command.type) {
    case 'ApplyPolicy':
      return applyPolicy(command, state);
    case 'MakeLane':
      return state.status === 'none' ? applyPolicy({ ...command, type: 'ApplyPolicy' }, state) : [];
    case 'ReachDailyLimit': {
      if (state.status !== 'open' || state.limitToldOn === command.day) return [];
      const { type: _, ...data } = command;
      return [{ type: 'DailyLimitReached', data }];
    }
    case 'CloseLane':
      return state.status === 'open'
        ? [{ type: 'LaneClosed', data: { profileId, organizationId: state.organizationId, ...state.policy } }]
        : [];
  }
}

function applyPolicy(
  command: Extract<PolicyCommand, { type: 'ApplyPolicy' }>,
  state: KnownPolicy,
): readonly PolicyEvent[] {
  const { profileId, organizationId } = command;
  if (state.status === 'closed' || (state.status === 'open' && state.organizationId !== organizationId)) {
    throw new Refused('NOT_FOUND', 'There is no such profile.');
  }
  const before = state.status === 'none' ? unlimited : state.policy;
  const limit =
    command.dailyMessageLimit === undefined ? before.dailyMessageLimit : (command.dailyMessageLimit ?? undefined);
  const messageDelayMs = command.messageDelayMs ?? before.messageDelayMs;
  const unchanged = messageDelayMs === before.messageDelayMs && limit === before.dailyMessageLimit;
  if (state.status === 'open' && unchanged) return [];
  const limited = limit === undefined ? {} : { dailyMessageLimit: limit };
  return [{ type: 'SendingPolicyApplied', data: { profileId, organizationId, messageDelayMs, ...limited } }];
}

function evolve(state: KnownPolicy, event: PolicyEvent): KnownPolicy {
  switch (event.type) {
    case 'SendingPolicyApplied': {
      const { organizationId, profileId: _, ...policy } = event.data;
      const told = state.status === 'open' && state.limitToldOn !== undefined ? { limitToldOn: state.limitToldOn } : {};
      return { status: 'open', organizationId, policy, ...told };
    }
    case 'DailyLimitReached':
      return state.status === 'open' ? { ...state, limitToldOn: event.data.day } : state;
    case 'LaneClosed':
      return state.status === 'open' ? { ...state, status: 'closed' } : state;
  }
}

/** How much a profile may send, and how fast. */
export const sendingPolicy: Decider<KnownPolicy, PolicyCommand, PolicyEvent> = {
  initial: { status: 'none' },
  decide,
  evolve,
};

/** `lane-<profileId>`. */
export const policyStream: StreamType<KnownPolicy, PolicyCommand, PolicyEvent> = {
  name: 'lane',
  decider: sendingPolicy,
  events: { SendingPolicyApplied: { version: 1 }, DailyLimitReached: { version: 1 }, LaneClosed: { version: 1 } },
};
