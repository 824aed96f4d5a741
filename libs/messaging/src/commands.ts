import type { CommandEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome } from './events.ts';

/** Carries out a command. Called again after a crash or a throw: doing it twice has the effect of once. */
export type CommandHandler = (command: CommandEnvelope) => Promise<void>;

/** How often a failing command is tried and how long is waited in between, milliseconds. */
export interface RetryPolicy {
  readonly delaysMs: readonly number[];
  /** Where dead letters go: the tables of the owner's own schema. The queue on PostgreSQL has its own instead. */
  readonly home?: ConsumerHome;
  /** Told of each new dead letter, for metrics. */
  readonly onGivenUp?: (command: CommandEnvelope, reason: string) => void;
}

/**
 * The port for orders that nobody waits for: stored before `send` returns, delivered at least once to one
 * handler, in order by key: a command that waits for its next attempt holds up those behind it with the same key, and
 * no others. After the last delay a command that still fails becomes a dead letter with its reason;
 * one whose deadline has passed becomes a dead letter at once. A throw of `Unavailable` is tried again for ever.
 * Adapters: PostgreSQL (standalone), RabbitMQ. All pass `commands.suite.ts`.
 */
export interface CommandQueue {
  /**
   * @throws Unavailable when it could not be stored now, because the queue is full or its server away; it may have been
   *   stored all the same
   */
  send(owner: string, command: CommandEnvelope): Promise<void>;
  /** @returns stops taking commands; those in progress are finished */
  handle(owner: string, name: string, handler: CommandHandler, retry: RetryPolicy): Promise<() => Promise<void>>;
}
