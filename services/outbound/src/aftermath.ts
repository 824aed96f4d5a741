import type { Clock } from '@messaging-gateway/runtime';
import type { DailyLimit } from './gate/daily-limit.ts';
import { dayOf } from './gate/day.ts';
import { rollTo } from './gate/gate-count.ts';
import type { Lane } from './lanes/lane.ts';
import type { OnRecorded } from './lanes/recorder.ts';
import type { Waiters } from './lanes/waiters.ts';
import { isChange, type MessageEvent } from './message/message-events.ts';
import type { OutboundMetrics } from './metrics.ts';
import type { NetworkIds } from './views/network-ids.ts';

export interface AftermathParts {
  readonly clock: Clock;
  readonly waiters: Waiters;
  readonly laneInMemory: (profileId: string) => Lane | undefined;
  readonly networkIds: NetworkIds;
  readonly dailyLimit: DailyLimit;
  readonly metrics: OutboundMetrics;
  /** Hears of everything that was written. */
  readonly noted: (event: MessageEvent) => void;
}

/** What follows everything that happens to a message: those who wait are told, counters move, receipts can come. */
export function aftermath({
  clock,
  waiters,
  laneInMemory,
  networkIds,
  dailyLimit,
  metrics,
  noted,
}: AftermathParts): OnRecorded {
  const tellLimit = (lane: Lane | undefined): void => {
    const limit = lane?.policy.dailyMessageLimit;
    if (lane !== undefined && limit !== undefined && rollTo(lane.count, dayOf(clock.now())).sent >= limit)
      dailyLimit.tell(lane);
  };
  const count = ({ type, data }: MessageEvent): void => {
    if (type === 'MessageSent') metrics.settled('sent', '');
    if (type === 'MessageFailed') metrics.settled('failed', data.error.code);
    if (type === 'OutcomeLost') metrics.settled('unknown', '');
  };
  return ({ outcome, events, state, appended }, { messageId, profileId }) => {
    if (outcome !== 'guarded') waiters.tell(messageId, state, appended);
    if (outcome !== 'appended') return;
    const lane = laneInMemory(profileId);
    lane?.noteEvents(events);
    for (const event of events) {
      count(event);
      noted(event);
      if (event.type === 'MessageAccepted' && !isChange(event.data.type))
        networkIds.remember(profileId, event.data.networkMessageId, messageId);
      if (event.type === 'MessageSent') tellLimit(lane);
    }
  };
}
