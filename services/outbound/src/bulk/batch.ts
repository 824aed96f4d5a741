import type { Decider } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { BatchEnd, BatchEvent, BatchFacts } from './batch-events.ts';

/** What was counted when a batch ends. */
interface Counted {
  readonly sent: number;
  readonly failed: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type BatchCommand =
  | { readonly type: 'Accept'; readonly facts: BatchFacts }
  /** The next message, if it is this one. */
  | { readonly type: 'Release'; readonly index: number; readonly pause: number }
  | ({ readonly type: 'Cancel' } & Counted)
  /** All were processed. */
  | ({ readonly type: 'Complete' } & Counted)
  /** `from`: the first message that is not sent. */
  | ({ readonly type: 'Fail'; readonly reason: string; readonly from: number } & Counted);

export type Batch =
  | { readonly status: 'none' }
  | {
      readonly status: 'queued' | 'processing' | BatchEnd;
      readonly facts: BatchFacts;
      /** Messages released so far. */
      readonly released: number;
      /** After the message released last, milliseconds. */
      readonly pause: number;
    };

type Known = Exclude<Batch, { status: 'none' }>;

export const hasEnded = ({ status }: Known): boolean => status !== 'queued' && status !== 'processing';

function decide(command: BatchCommand, state: Batch): readonly BatchEvent[] {
  if (command.type === 'Accept') return state.status === 'none' ? [{ type: 'BatchAccepted', data: command.facts }] : [];
  if (state.status === 'none') throw new Refused('NOT_FOUND', 'There is no such batch.');
  const { facts, released } = state;
  switch (command.type) {
    case 'Release': {
      const { index, pause } = command;
      if (hasEnded(state) || index !== released || index >= facts.total) return [];
      return [{ type: 'BatchMessageReleased', data: { batchId: facts.batchId, index, pause } }];
    }
    case 'Cancel':
      if (hasEnded(state)) throw new Refused('CONFLICT', 'The batch has ended.');
      return [ended(facts, 'cancelled', released, command)];
    case 'Complete':
      return hasEnded(state) || released < facts.total ? [] : [ended(facts, 'completed', released, command)];
    case 'Fail':
      return hasEnded(state) ? [] : [ended(facts, 'failed', command.from, command, command.reason)];
  }
}

function ended(
  { batchId, total }: BatchFacts,
  status: BatchEnd,
  from: number,
  { sent, failed, at }: Counted,
  reason?: string,
): BatchEvent {
  const why = reason === undefined ? {} : { reason };
  const data = { batchId, status, ...why, from, total, sent, failed, at: new Date(at).toISOString() };
  return { type: 'BatchEnded', data };
}

function evolve(state: Batch, event: BatchEvent): Batch {
  if (event.type === 'BatchAccepted') return { status: 'queued', facts: event.data, released: 0, pause: 0 };
  if (state.status === 'none') return state;
  if (event.type === 'BatchEnded') return { ...state, status: event.data.status };
  return { ...state, status: 'processing', released: event.data.index + 1, pause: event.data.pause };
}

/** Many messages, sent one after the other (`docs/decisions/0371-batches-step-by-step.md`). */
export const batch: Decider<Batch, BatchCommand, BatchEvent> = { initial: { status: 'none' }, decide, evolve };
