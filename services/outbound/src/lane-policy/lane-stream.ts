import type { StreamType } from '@messaging-gateway/event-sourcing';
import { lane, type Lane, type LaneCommand, type LaneEvent } from './lane.ts';

/** `lane-<profileId>`. */
export const laneStream: StreamType<Lane, LaneCommand, LaneEvent> = {
  name: 'lane',
  decider: lane,
  events: { SendingPolicyApplied: { version: 1 }, DailyLimitReached: { version: 1 }, LaneClosed: { version: 1 } },
};
