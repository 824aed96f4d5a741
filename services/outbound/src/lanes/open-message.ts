import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import { isChange, type MessageEvent, type MessageFacts, type SendMode } from '../message/message-events.ts';
import type { KnownMessage } from '../message/message.ts';

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
  /** A synchronous message that has not been handed over by then is withdrawn. */
  readonly turnBy?: number;
  readonly requestId?: string;
  readonly traceparent?: string;
  /** How it was accepted, while somebody waits in this process for what becomes of it. */
  readonly accepted?: AcceptedMessage;
  /** What is to be handed over; read from the journal when its turn comes if it is not at hand. */
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
  /** Not before this time: the wait of a retry or of a further settlement. */
  dueAt?: number;
  /** Attempts to settle it since the connection came back. */
  settlements: number;
  /** How often it was handed over again under its network id; never more than `mostRepeats`. */
  repeats?: number;
  /** When its outcome was lost here for the first time. */
  unsettledSince?: number;
  /** Unforeseen errors met with it, and when something is done with it again. */
  rest?: { readonly errors: number; readonly until: number };
  /** Only an owner that is gone knows whether it was handed over, and nothing tells yet. */
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

/** What the table may hold of a lane: nothing, what an owner left in order, or what one left that is gone. */
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
}

/** A message that was accepted just now. @param deadline of whoever waits for it */
export function openedBy(message: KnownMessage, event: RecordedEvent, deadline = Infinity): OpenMessage {
  const { mode, facts, content } = message;
  const { requestId, traceparent } = event.metadata;
  const acceptedAt = Date.parse(message.acceptedAt);
  return {
    messageId: facts.messageId,
    conversationId: facts.conversationId,
    mode,
    ...(isChange(facts.type) && { isChange: true }),
    acceptedAt,
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
    phase: row.outcome_lost || isUnaccounted ? 'unsettled' : 'waiting',
    ...(row.mode === 'synchronous' && { turnBy: acceptedAt + turnPatience }),
    ...(row.due_at !== null && { dueAt: row.due_at.getTime() }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(isUnaccounted && { isUnaccounted }),
    attempts: row.attempts,
    settlements: 0,
  };
}

/** What the journal says of it from now on. @returns whether the lane still has something to do for it */
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

export const isResting = ({ rest }: OpenMessage, now: number): boolean => rest !== undefined && now < rest.until;
