import type { EventEnvelope } from '@messaging-gateway/contracts';

/** Takes in a fact. Called again after a crash or a throw: doing it twice has the effect of once. */
export type EventHandler = (event: EventEnvelope) => Promise<void>;

export interface Subscription {
  /** Consumer group: each group sees every event once, however many replicas it has. */
  readonly group: string;
  /** Kinds, for example `message.sent`. Each kind is delivered independently: there is no order across kinds. */
  readonly kinds: readonly string[];
  readonly handler: EventHandler;
  /** Events of different keys handled at the same time, at most. Default 64. Order is kept per kind and key. */
  readonly concurrency?: number;
  /** Waits before each new attempt, milliseconds; after the last one the event becomes a dead letter. */
  readonly retryDelaysMs?: readonly number[];
  /** Where a group starts that was never seen before. Default `earliest`. */
  readonly from?: 'earliest' | 'latest';
}

/**
 * The port for facts: every group gets every event of its kinds at least once, in order per kind and key.
 * A throw of `Unavailable` (the database is away) is tried again for ever; any other is tried by the policy and
 * then put among the dead letters with its reason, so that it holds up nothing else.
 * Adapters: the journals themselves (standalone), Kafka. All pass `events.suite.ts`.
 */
export interface EventBus {
  /** @returns stops taking events; those in progress are finished and their place is kept */
  subscribe(subscription: Subscription): Promise<() => Promise<void>>;
}
