import type { PendingCommand, UntypedStreamType } from './pending-command.ts';
import type { KnownState } from './state-cache.ts';

/** The commands of one stream that wait in this process, in order. At most one statement at a time writes for it. */
export interface StreamLane {
  readonly stream: string;
  readonly type: UntypedStreamType;
  readonly waiting: PendingCommand[];
  /** Loaded for the commands that wait, and not yet used up. */
  known: KnownState | undefined;
  /** So many of the waiting commands came in before `known` was read. */
  fresh: number;
  /** A rival was faster: load before the next decision. */
  overtaken: boolean;
  /** So many commands are still to be written one by one. */
  single: number;
}

export const streamLane = (stream: string, type: UntypedStreamType): StreamLane => ({
  stream,
  type,
  waiting: [],
  known: undefined,
  fresh: 0,
  overtaken: false,
  single: 0,
});
