import type { CommandQueue, EventBus, OperationBus } from '@messaging-gateway/messaging';
import type { Cache, Clock, EncryptionKeys, Logger, Metrics } from '@messaging-gateway/runtime';

/** How services reach each other; each mode brings its own adapters. */
export interface Ports {
  readonly operations: OperationBus;
  readonly commands: CommandQueue;
  readonly events: EventBus;
}

/** What a service is run with: the same code in one process or in many. */
export interface Host {
  readonly ports: Ports;
  readonly databaseUrl: string;
  /** Connections per service, at most (see `openDatabase`). */
  readonly connections?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cache: Cache;
  readonly encryption: EncryptionKeys;
}
