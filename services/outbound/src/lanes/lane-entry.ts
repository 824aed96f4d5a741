import type { OutgoingContentOf } from '@messaging-gateway/contracts';
import type { RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { KnownMessage } from '../message/message-state.ts';
import type { MessageFacts, SendMode } from '../message/message-events.ts';

/** A synchronous send waits for its turn so long, milliseconds. */
export const turnPatience = 60_000;

/** A message in its lane. Times in milliseconds since 1970. */
export interface LaneEntry {
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

/** Whom the network does not acknowledge is handed over again so often; then it is only asked for. */
export const mostRepeats = 10;

const longestRest = 60_000;

/** Lets a message rest after an unforeseen error: longer after each, at most a minute. */
export function letRest(entry: LaneEntry, now: number): void {
  const errors = (entry.rest?.errors ?? 0) + 1;
  entry.rest = { errors, until: now + Math.min(1000 * 2 ** (errors - 1), longestRest) };
  // What cannot be settled holds up its lane no longer than any other.
  if (entry.phase !== 'waiting') entry.settlements += 1;
}

export const isResting = ({ rest }: LaneEntry, now: number): boolean => rest !== undefined && now < rest.until;

export interface AcceptedMessage {
  readonly message: KnownMessage;
  readonly event: RecordedEvent;
}

export interface Parcel {
  readonly facts: MessageFacts;
  readonly content: OutgoingContentOf;
}
