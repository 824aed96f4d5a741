import type { MessageContentOf } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export interface BatchMessage {
  /** JID of the chat. */
  readonly to: string;
  /** With the variables filled in. */
  readonly content: MessageContentOf;
  readonly quotedMessageId?: string;
}

/** A bulk send as it was asked for. Times in ISO 8601. */
export interface BatchFacts {
  readonly batchId: string;
  readonly profileId: string;
  readonly total: number;
  readonly messages: readonly BatchMessage[];
  /** Milliseconds between two messages, on top of the send gate. */
  readonly delay: number;
  readonly randomizeDelay: boolean;
  readonly stopOnError: boolean;
  readonly createdAt: string;
  /** Ids of its messages tell their time; absent in batches of earlier versions. */
  readonly timedIds?: true;
  /** `user:…` or `api_key:…` */
  readonly actor: string;
}

type BatchEnd = 'completed' | 'cancelled' | 'failed';

type BatchAccepted = Fact<'BatchAccepted', BatchFacts>;
/** One of its messages is on its way into the lane; what becomes of it is told by the message itself. */
type BatchMessageReleased = Fact<
  'BatchMessageReleased',
  {
    readonly batchId: string;
    readonly index: number;
    /** Milliseconds between its outcome and the next one. */
    readonly pause: number;
  }
>;
type BatchEnded = Fact<
  'BatchEnded',
  {
    readonly batchId: string;
    readonly status: BatchEnd;
    readonly reason?: string;
    /** Messages from this index on were not sent: they are cancelled. */
    readonly from: number;
    readonly total: number;
    readonly sent: number;
    readonly failed: number;
    readonly at: string;
  }
>;

export type BatchEvent = BatchAccepted | BatchMessageReleased | BatchEnded;

/** Counts of a batch that ended. */
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

/** `batch-<batchId>`: recipients and contents are personal data of the organization. It goes like that of a schedule. */
export const batchStream: StreamType<Batch, BatchCommand, BatchEvent> = {
  name: 'batch',
  decider: batch,
  events: {
    BatchAccepted: { version: 1, personal: ['messages'] },
    BatchMessageReleased: { version: 1 },
    BatchEnded: { version: 1 },
  },
};
