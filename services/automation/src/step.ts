import type { DataOf, MessageReceived, SendableType } from '@messaging-gateway/contracts';
import type { Action, Match, Person } from './answerers/compiled.ts';

/** Why something was not done: a code and a sentence. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Contents to be sent, each by the fields of its send route. */
export interface Content {
  readonly type: SendableType;
  readonly content: Readonly<Record<string, unknown>>;
  /** The template that it was made of. */
  readonly templateId?: string;
  /** How long after what goes before it, milliseconds: over restarts too, unless a human takes over meanwhile. */
  readonly delayMs?: number;
}

/** Of what a step is a part. */
export interface StepContext {
  readonly runId: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly answererId: string;
  /** Kind of the answerer. */
  readonly kind: string;
  readonly conversationId: string;
  /** JID of the chat that is answered. */
  readonly chat: string;
  /** The message that was received; absent in a scheduled run. */
  readonly message?: DataOf<typeof MessageReceived>;
  readonly match?: Match;
  /** Place of the step, from 0. */
  readonly index: number;
  /** How often it was carried out and asked to wait, from 0. */
  readonly attempt: number;
  /** Text that the step wanted to remember when it asked to wait. */
  readonly memo?: string;
  /** When the run began, milliseconds since 1970. */
  readonly startedAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** As they are known now. */
  readonly person: () => Promise<Person>;
  /** Ids of earlier messages that are answered together with this one, oldest first. */
  readonly gathered: () => Promise<readonly string[]>;
  /** Aborted when the service stops: it will be carried out again. */
  readonly signal: AbortSignal;
}

/**
 * Result of carrying out a step.
 *
 * - `wait`: it is carried out again then, `attempt` one higher and with the
 *   `memo`. Milliseconds since 1970.
 * - `send`: these go to the chat, each once, whatever dies meanwhile; the step is done with the last one. With `failure` it counts as
 *   failed all the same. `ignored`: words for what the trace says was left out. `handsOver`: they go out although the chat was given to a human meanwhile, as this step did that.
 * - `end`: nothing further is done. `superseded`: a later run does it.
 */
export type StepResult =
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly failure: Failure }
  | { readonly status: 'wait'; readonly until: number; readonly memo?: string }
  | {
      readonly status: 'send';
      readonly contents: readonly Content[];
      readonly failure?: Failure;
      readonly ignored?: readonly string[];
      readonly handsOver?: true;
    }
  | { readonly status: 'end' }
  | { readonly status: 'superseded' };

/**
 * How actions of one type are carried out. It may happen again after a crash: what has an effect outside has it under an id that
 * follows from run and step.
 */
export interface StepType {
  readonly type: string;
  /**
   * Whether the step asks somebody outside who may be slow: it gets a place of those that its organization has for
   * this. Default: false.
   */
  readonly slow?: boolean;
  /** Faults that it throws are tried again; those that last are for `failed`. */
  readonly carryOut: (action: Action, context: StepContext) => Promise<StepResult>;
}
