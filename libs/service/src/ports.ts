import type { ErasureLog, MediaStore } from '@messaging-gateway/media';
import type { EventBus, OperationBus } from '@messaging-gateway/messaging';
import type { Cache, Clock, EncryptionKeys, Logger, Metrics } from '@messaging-gateway/runtime';
import type { Tracing } from '@messaging-gateway/tracing';
import type { HandledElsewhere } from './bindings.ts';

/** How services reach each other; each mode brings its own adapters. */
export interface Ports {
  readonly operations: OperationBus;
  readonly events: EventBus;
  /**
   * How long a routed request is held while nobody serves its route, milliseconds: its holder may be changing.
   * Default 10 s; 0 where no other process could take over.
   */
  readonly holdMs?: number;
}

/** The host of a service: buses, database, cache, clock; the same code in one process or in many. */
export interface Host {
  readonly ports: Ports;
  readonly databaseUrl: string;
  /** Aborted when the process begins to stop: migrations end. Absent: nothing ends them. */
  readonly signal?: AbortSignal | undefined;
  /** Connections per service, at most (see `openDatabase`). */
  readonly connections?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent: nothing is traced, and nothing is spent on it. */
  readonly tracing?: Tracing | undefined;
  readonly cache: Cache;
  readonly media: MediaStore;
  readonly encryption: EncryptionKeys;
  /** The other replicas of the service. Absent: there are none. */
  readonly handledElsewhere?: HandledElsewhere;
  /** How long a read waits at most until what its caller has caused is taken in, milliseconds. Default 1 000. */
  readonly readsWaitMs?: number;
  /** Where erasures are kept beside the database, to be repeated after a restore. Absent: nowhere. */
  readonly erasureLog?: ErasureLog;
  /** Streams that have ended, keys against repeats, and dead letters are deleted after so many days. Absent: never. */
  readonly retentionDays?: number;
}
