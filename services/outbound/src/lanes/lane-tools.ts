import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { OutboundMetrics } from '../metrics.ts';
import type { Courier } from './delivery.ts';
import type { Permits } from './permits.ts';
import type { Recorder } from './recorder.ts';

/** What all lanes of a process share. */
export interface LaneTools {
  readonly clock: Clock;
  readonly log: Logger;
  readonly sql: Sql;
  readonly store: EventStore;
  readonly metrics: OutboundMetrics;
  readonly courier: Courier;
  readonly recorder: Recorder;
  /** Bounds deliveries from the durable queue, over all lanes. */
  readonly permits: Permits;
  /** Counts the owners of the lanes: sessions refuses an older one. */
  readonly epoch: () => number;
  /** How long a queued message waits before it expires, milliseconds. */
  readonly timeToLive: number;
  /** Aborted when the process stops and what is not recorded by then is left to the next one. */
  readonly signal: AbortSignal;
}
