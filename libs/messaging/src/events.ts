import type { EventContract, EventEnvelope } from '@messaging-gateway/contracts';
import type { JournalEntry, JournalPlace, JournalReader } from '@messaging-gateway/event-sourcing';
import type { Pool } from 'pg';

/** Takes in a fact. Called again after a crash or a throw: doing it twice has the effect of once. */
export type EventHandler = (event: EventEnvelope) => Promise<void>;

/** Where a consumer keeps its places and what it could not handle: the tables of its own schema. */
export interface ConsumerHome {
  readonly schema: string;
  readonly pool: Pool;
}

/** An event that was given up: its place is kept among the dead letters. */
interface GivenUp {
  readonly event: EventEnvelope;
  readonly group: string;
  readonly reason: string;
}

/** How the events of a kind are handled. */
export interface Way {
  /** Events handled at the same time, at most. Default 64. */
  readonly concurrency?: number;
  /**
   * `false`: events of one key are begun in their order, but one need not wait until the one before is handled; for
   * handlers that gather many events into one write. Default true. When one fails, none behind it is begun before it is
   * through, in either way.
   */
  readonly ordered?: boolean;
}

export interface Subscription extends Way {
  /** Consumer group: each group sees every event once, however many replicas it has. */
  readonly group: string;
  /** Kinds, for example `message.sent`. Each kind is delivered independently: there is no order across kinds. */
  readonly kinds: readonly string[];
  readonly handler: EventHandler;
  readonly home: ConsumerHome;
  /** Kinds that are handled in another way than the others. */
  readonly ways?: Readonly<Record<string, Way>>;
  /** Waits before each new attempt, milliseconds; after the last one the event becomes a dead letter. Default 0.1, 1, 5, 15 s. */
  readonly retryDelaysMs?: readonly number[];
  /** Polling interval for dead letters that were put back and for keys that were set aside, milliseconds. Default 2 000. */
  readonly secondTriesMs?: number;
  /** Where a group starts that was never seen before. Default `earliest`. */
  readonly from?: 'earliest' | 'latest';
  /** Told of each new dead letter, for metrics and logs. */
  readonly onGivenUp?: (givenUp: GivenUp) => void;
}

/** A fact that an entry of a journal tells the outside. */
export interface PublishedFact {
  readonly contract: Pick<EventContract, 'type' | 'version'>;
  readonly data: unknown;
  /** Order is kept per key. Default: the profile, else the stream. */
  readonly key?: string;
  /** When it happened, ISO 8601. Default: when the journal took it. */
  readonly time?: string;
}

/** A journal that is told to others. */
export interface EventSource {
  /** The service that says it: `source` of the envelopes. */
  readonly name: string;
  readonly schema: string;
  readonly journal: JournalReader;
  /** Pure. */
  publish(entry: JournalEntry): readonly PublishedFact[];
  /**
   * Where an adapter over a broker keeps how far it has told the journal, in `schema`, and any adapter what it cannot tell.
   * Only the former needs it.
   */
  readonly pool?: Pool;
  /** An entry of a type cannot be told; it is among the dead letters. */
  onUntold?(type: string): void;
  /** Whether this source can ever publish a kind; consumers of others are not attached. Default: any. */
  owns?(kind: string): boolean;
  /** A last touch to an envelope before it leaves: the trace context. The same event may pass more than once. */
  mark?(event: EventEnvelope): EventEnvelope;
}

/**
 * The port for facts: every group gets every event of its kinds at least once, in order per kind and key.
 * A throw that says that a part is away (`Unavailable` of the database, `SERVICE_UNAVAILABLE` of another service) is tried
 * again for ever; any other is tried by the policy and then put among the dead letters with its reason. Meanwhile its key waits, and nothing else: a key that does not get
 * through for long while others do is set aside, its events in the consumer's tables, and tried from there.
 * Adapters: the journals themselves (standalone), Kafka. All pass `events.suite.ts`.
 */
export interface EventBus {
  /** @returns stops taking events; those in progress are finished and their place is kept */
  subscribe(subscription: Subscription): Promise<() => Promise<void>>;
  /** Tells the events of a journal to all groups, from where it stopped. @returns stops it */
  publishFrom(source: EventSource): Promise<() => Promise<void>>;
  /**
   * Where those stand that read the journal of a schema: what one of them has not read must be kept. An adapter
   * without it does not know, and nothing may be deleted.
   */
  consumedUpTo?(schema: string): readonly (JournalPlace | undefined)[];
  /** Events that a group has not handled yet, by kind, as far as this process knows; all replicas together make the sum. */
  lag?(group: string): ReadonlyMap<string, number>;
  /** By kind, how long the oldest event has been in hand that a group has not finished, milliseconds; of this process. */
  oldest?(group: string): ReadonlyMap<string, number>;
  /** How far the journal of a schema was told to the broker. An adapter without a broker has no such place. */
  toldUpTo?(schema: string): JournalPlace | undefined;
}
