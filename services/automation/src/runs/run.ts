import type { DataOf, MessageReceived } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { AnswererKind } from '../answerers/answerer.ts';
import type { Action, Match } from '../answerers/compiled.ts';
import type { Content, Failure } from '../step.ts';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

/** Why a run, or a step of it, was not let through. */
export type RefusedReason = 'cooldown' | 'rate_limited' | 'same_text' | 'handover' | 'muted' | 'daily_limit';
export type CancelledReason = 'handover' | 'deleted' | 'superseded';
export type RunStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'refused';
type StepStatus = 'pending' | 'done' | 'failed' | 'refused';

/** Facts with which a run began. Times in ISO 8601. */
export interface RunFacts {
  readonly runId: string;
  readonly profileId: string;
  readonly answererId: string;
  readonly kind: AnswererKind;
  readonly conversationId: string;
  /** JID of the chat that is answered. */
  readonly chat: string;
  /** Id of the message that set it off; absent in a scheduled run. */
  readonly messageId?: string;
  readonly message?: DataOf<typeof MessageReceived>;
  readonly match?: Match;
  readonly actions: readonly Action[];
  /** Whether others may answer the same message, too. */
  readonly continues: boolean;
  readonly at: string;
}

type Of = { readonly runId: string; readonly at: string };
type OfStep = Of & { readonly index: number };
type Ended = Of & {
  readonly answererId: string;
  readonly kind: AnswererKind;
  readonly profileId: string;
  readonly conversationId: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'refused';
  readonly reason?: RefusedReason | CancelledReason;
  /** In the order in which they were released. */
  readonly messageIds: readonly string[];
};

export type RunEvent =
  | Fact<'RunStarted', RunFacts>
  | Fact<'RunRefused', RunFacts & { readonly reason: RefusedReason }>
  /** The step is carried out again at a time. */
  | Fact<'StepPostponed', OfStep & { readonly until: string; readonly memo?: string }>
  /** The contents that the step sends are fixed. */
  | Fact<
      'StepPrepared',
      OfStep & {
        readonly contents: readonly Content[];
        readonly failure?: Failure;
        readonly ignored?: readonly string[];
      }
    >
  | Fact<
      'MessageReleased',
      OfStep & {
        readonly messageId: string;
        readonly conversationId: string;
        readonly profileId: string;
        /** Base64 digest of what it says. */
        readonly digest: string;
      }
    >
  | Fact<
      'StepSettled',
      OfStep & {
        readonly status: 'done' | 'failed' | 'refused';
        readonly failure?: Failure;
        readonly reason?: RefusedReason;
        readonly ends?: true;
      }
    >
  | Fact<
      'RunMessageSettled',
      Of & { readonly messageId: string; readonly status: 'sent' | 'failed'; readonly failure?: Failure }
    >
  | Fact<'RunEnded', Ended>;

type At = { readonly at: string };

export type RunCommand =
  | { readonly type: 'Start'; readonly facts: RunFacts }
  | { readonly type: 'Refuse'; readonly facts: RunFacts; readonly reason: RefusedReason }
  | ({ readonly type: 'Postpone'; readonly index: number; readonly until: string; readonly memo?: string } & At)
  /** `release`: its first message is released with that. */
  | ({
      readonly type: 'Prepare';
      readonly index: number;
      readonly contents: readonly Content[];
      readonly failure?: Failure;
      readonly ignored?: readonly string[];
      readonly release?: { readonly messageId: string; readonly digest: string };
    } & At)
  | ({ readonly type: 'Release'; readonly index: number; readonly messageId: string; readonly digest: string } & At)
  | ({
      readonly type: 'Settle';
      readonly index: number;
      readonly status: 'done' | 'failed' | 'refused';
      readonly failure?: Failure;
      readonly reason?: RefusedReason;
      readonly ends?: true;
    } & At)
  | ({
      readonly type: 'SettleMessage';
      readonly messageId: string;
      readonly status: 'sent' | 'failed';
      readonly failure?: Failure;
    } & At)
  | ({ readonly type: 'Cancel'; readonly reason: CancelledReason } & At);

export interface StepState {
  readonly status: StepStatus;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** How often it was postponed. */
  readonly attempt: number;
  readonly until?: string;
  readonly memo?: string;
  readonly contents?: readonly Content[];
  readonly messageIds: readonly string[];
  readonly failure?: Failure;
  readonly ignored?: readonly string[];
  readonly reason?: RefusedReason;
}

export interface KnownRun {
  readonly status: RunStatus;
  readonly facts: RunFacts;
  readonly reason?: RefusedReason | CancelledReason;
  readonly endedAt?: string;
  readonly steps: readonly StepState[];
  /** Messages that were released: null as long as nobody knows what became of them. */
  readonly messages: Readonly<Record<string, 'sent' | 'failed' | null>>;
  /** No further step is taken: it waits for its messages only. */
  readonly isThrough: boolean;
}

export type Run = { readonly status: 'none' } | KnownRun;

export const isKnown = (run: Run): run is KnownRun => run.status !== 'none';
export const hasEnded = ({ status }: Run): boolean => status !== 'none' && status !== 'running' && status !== 'waiting';

/** The step that is to be carried out; undefined when none is left. */
export function stepOf(run: KnownRun): number | undefined {
  if (run.isThrough) return undefined;
  const index = run.steps.findIndex(({ status }) => status === 'pending');
  return index < 0 ? undefined : index;
}

/** An event, and what it leads to: the run has ended when no step and no message is left. */
function ending(state: Run, event: RunEvent, at: string): readonly RunEvent[] {
  const after = evolve(state, event);
  if (!isKnown(after) || hasEnded(after) || stepOf(after) !== undefined) return [event];
  if (Object.values(after.messages).includes(null)) return [event];
  return [event, { type: 'RunEnded', data: { ...outcomeOf(after), ...whoseOf(after), at } }];
}

const whoseOf = ({ facts, messages }: KnownRun) => ({
  runId: facts.runId,
  answererId: facts.answererId,
  kind: facts.kind,
  profileId: facts.profileId,
  conversationId: facts.conversationId,
  messageIds: Object.keys(messages),
});

/** A scheduled run that a guard holds up has failed: nobody is refused an answer. */
function outcomeOf({ facts, messages, steps }: KnownRun): Pick<Ended, 'status' | 'reason'> {
  const refused = steps.find(({ status }) => status === 'refused');
  if (refused?.reason !== undefined)
    return { status: facts.messageId === undefined ? 'failed' : 'refused', reason: refused.reason };
  const isFailed = Object.values(messages).includes('failed') || steps.some(({ status }) => status === 'failed');
  return { status: isFailed ? 'failed' : 'completed' };
}

function decide(command: RunCommand, state: Run): readonly RunEvent[] {
  if (command.type === 'Start')
    return isKnown(state) ? [] : ending(state, { type: 'RunStarted', data: command.facts }, command.facts.at);
  if (command.type === 'Refuse')
    return isKnown(state) ? [] : [{ type: 'RunRefused', data: { ...command.facts, reason: command.reason } }];
  if (!isKnown(state) || hasEnded(state)) return [];
  const { runId, conversationId, profileId } = state.facts;
  const { at } = command;
  if (command.type === 'SettleMessage') {
    const { messageId, status, failure } = command;
    if (state.messages[messageId] !== null) return [];
    return ending(
      state,
      { type: 'RunMessageSettled', data: { runId, messageId, status, ...(failure && { failure }), at } },
      at,
    );
  }
  if (command.type === 'Cancel')
    return [{ type: 'RunEnded', data: { ...whoseOf(state), status: 'cancelled', reason: command.reason, at } }];
  const { index } = command;
  const step = state.steps[index];
  if (step === undefined || stepOf(state) !== index) return [];
  switch (command.type) {
    case 'Postpone': {
      const { until, memo } = command;
      return [{ type: 'StepPostponed', data: { runId, index, until, ...(memo !== undefined && { memo }), at } }];
    }
    case 'Prepare':
      return step.contents === undefined ? prepared(state.facts, command) : [];
    case 'Release': {
      const { messageId, digest } = command;
      if (messageId in state.messages) return [];
      return [{ type: 'MessageReleased', data: { runId, index, messageId, conversationId, profileId, digest, at } }];
    }
    case 'Settle': {
      const { status, failure = step.failure, reason, ends } = command;
      const settled: RunEvent = {
        type: 'StepSettled',
        data: {
          runId,
          index,
          status,
          ...(failure && { failure }),
          ...(reason && { reason }),
          // What a guard does not let through ends the run.
          ...((ends ?? status === 'refused') && { ends: true as const }),
          at,
        },
      };
      return ending(state, settled, at);
    }
  }
}

function prepared(
  { runId, conversationId, profileId }: RunFacts,
  { index, contents, failure, ignored, release, at }: Extract<RunCommand, { type: 'Prepare' }>,
): readonly RunEvent[] {
  const said = { contents, ...(failure && { failure }), ...(ignored && { ignored }) };
  const written: RunEvent = { type: 'StepPrepared', data: { runId, index, ...said, at } };
  if (release === undefined) return [written];
  return [written, { type: 'MessageReleased', data: { runId, index, ...release, conversationId, profileId, at } }];
}

const begun = (facts: RunFacts): KnownRun => ({
  status: 'running',
  facts,
  steps: (Array.isArray(facts.actions) ? facts.actions : []).map(() => ({
    status: 'pending',
    attempt: 0,
    messageIds: [],
  })),
  messages: {},
  isThrough: false,
});

function evolve(state: Run, event: RunEvent): Run {
  if (event.type === 'RunStarted') return begun(event.data);
  if (event.type === 'RunRefused') {
    const { reason, ...facts } = event.data;
    return { ...begun(facts), status: 'refused', reason, endedAt: facts.at };
  }
  if (!isKnown(state)) return state;
  if (event.type === 'RunEnded') {
    const { status, reason, at } = event.data;
    return { ...state, status, endedAt: at, ...(reason && { reason }) };
  }
  if (event.type === 'RunMessageSettled') {
    const { messageId, status, failure } = event.data;
    const steps = state.steps.map((step) =>
      failure !== undefined && step.messageIds.includes(messageId) ? { ...step, failure } : step,
    );
    return { ...state, steps, messages: { ...state.messages, [messageId]: status } };
  }
  const { index, at } = event.data;
  const before = state.steps[index];
  if (before === undefined) return state;
  const steps = state.steps.with(index, { ...before, startedAt: before.startedAt ?? at, ...stepAfter(before, event) });
  switch (event.type) {
    case 'StepPostponed':
      return { ...state, status: 'waiting', steps };
    case 'StepPrepared':
      return { ...state, status: 'running', steps };
    case 'MessageReleased':
      return { ...state, status: 'running', steps, messages: { ...state.messages, [event.data.messageId]: null } };
    case 'StepSettled':
      return { ...state, status: 'running', steps, isThrough: state.isThrough || event.data.ends === true };
  }
}

function stepAfter(
  { attempt, messageIds }: StepState,
  event: Extract<RunEvent, { data: { index: number } }>,
): Partial<StepState> {
  switch (event.type) {
    case 'StepPostponed': {
      const { until, memo } = event.data;
      return { attempt: attempt + 1, until, ...(memo !== undefined && { memo }) };
    }
    case 'StepPrepared': {
      const { contents, failure, ignored } = event.data;
      return { contents, ...(failure && { failure }), ...(ignored && { ignored }) };
    }
    case 'MessageReleased':
      return { messageIds: [...messageIds, event.data.messageId] };
    case 'StepSettled': {
      const { status, failure, reason, at } = event.data;
      return { status, endedAt: at, ...(failure && { failure }), ...(reason && { reason }) };
    }
  }
}

const run: Decider<Run, RunCommand, RunEvent> = { initial: { status: 'none' }, decide, evolve };

/** `run-<runId>`: what was said and what is answered are personal data of the organization. */
export const runStream: StreamType<Run, RunCommand, RunEvent> = {
  name: 'run',
  decider: run,
  events: {
    RunStarted: { version: 1, personal: ['chat', 'message', 'match', 'actions'] },
    RunRefused: { version: 1, personal: ['chat', 'message', 'match', 'actions'] },
    StepPostponed: { version: 1, personal: ['memo'] },
    StepPrepared: { version: 1, personal: ['contents'] },
    MessageReleased: { version: 1 },
    StepSettled: { version: 1 },
    RunMessageSettled: { version: 1 },
    RunEnded: { version: 1 },
  },
};
