import type { EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { KnownMessage } from '../message/message-state.ts';
import type { LaneRecords } from '../views/lane-records.ts';
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
  /** Answers those who wait for a message, with the events that are being written. */
  readonly answer: (message: KnownMessage, events: readonly RecordedEvent[]) => void;
  /** Bounds deliveries from the durable queue, over all lanes. */
  readonly permits: Permits;
  readonly records: LaneRecords;
  /** Whether this process may still hand over for its lanes: asked before each step. */
  readonly mayOwn: () => boolean;
  /** Sessions has seen a newer epoch of a lane of this process. @returns whether the lane goes on, with a newer one */
  readonly onDisowned: (profileId: string, newestEpoch: number) => Promise<boolean>;
  /** How long a queued message waits before it expires, milliseconds. */
  readonly timeToLive: number;
  /** Aborted when the process stops and what is not recorded by then is left to the next one. */
  readonly signal: AbortSignal;
}
