import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

/** Of one flow at one minute. Times in ISO 8601. */
export interface FiringFacts {
  readonly firingId: string;
  readonly flowId: string;
  readonly profileId: string;
  /** The minute at which it was to fire. */
  readonly minute: string;
  /** When the flow fires next; null: never again. */
  readonly nextAt: string | null;
  readonly at: string;
}

type Of = { readonly firingId: string; readonly flowId: string; readonly at: string };

export type FiringEvent =
  | { readonly type: 'FiringBegun'; readonly data: FiringFacts }
  /** No process was there when the flow was to fire. */
  | { readonly type: 'FiringMissed'; readonly data: FiringFacts }
  /** Runs of all people up to a place of the list have begun. */
  | { readonly type: 'FiringAdvanced'; readonly data: Of & { readonly after: string } }
  | { readonly type: 'FiringEnded'; readonly data: Of };

export type FiringCommand =
  | { readonly type: 'Begin'; readonly facts: FiringFacts }
  | { readonly type: 'Miss'; readonly facts: FiringFacts }
  | { readonly type: 'Advance'; readonly after: string; readonly at: string }
  | { readonly type: 'End'; readonly at: string };

export type Firing =
  | { readonly status: 'none' | 'ended' }
  | { readonly status: 'running'; readonly facts: FiringFacts; readonly after?: string };

function decide(command: FiringCommand, state: Firing): readonly FiringEvent[] {
  if (command.type === 'Begin') return state.status === 'none' ? [{ type: 'FiringBegun', data: command.facts }] : [];
  if (command.type === 'Miss') return state.status === 'none' ? [{ type: 'FiringMissed', data: command.facts }] : [];
  if (state.status !== 'running') return [];
  const { firingId, flowId } = state.facts;
  const { at } = command;
  if (command.type === 'End') return [{ type: 'FiringEnded', data: { firingId, flowId, at } }];
  return state.after === command.after
    ? []
    : [{ type: 'FiringAdvanced', data: { firingId, flowId, after: command.after, at } }];
}

function evolve(state: Firing, event: FiringEvent): Firing {
  switch (event.type) {
    case 'FiringBegun':
      return { status: 'running', facts: event.data };
    case 'FiringAdvanced':
      return state.status === 'running' ? { ...state, after: event.data.after } : state;
    case 'FiringMissed':
    case 'FiringEnded':
      return { status: 'ended' };
  }
}

const firing: Decider<Firing, FiringCommand, FiringEvent> = { initial: { status: 'none' }, decide, evolve };

/** `firing-<firingId>`: a flow fires once at a minute, whoever notices that it is time. */
export const firingStream: StreamType<Firing, FiringCommand, FiringEvent> = {
  name: 'firing',
  decider: firing,
  events: {
    FiringBegun: { version: 1 },
    FiringMissed: { version: 1 },
    FiringAdvanced: { version: 1 },
    FiringEnded: { version: 1 },
  },
};
