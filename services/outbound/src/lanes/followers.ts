import type { Clock } from '@messaging-gateway/runtime';
import type { DailyLimit } from '../gate/daily-limit.ts';
import { rollTo } from '../gate/gate-count.ts';
import type { MessageEvent } from '../message/message-events.ts';
import { dayOf } from '../time/day.ts';
import type { Follower } from './journal.ts';
import type { Lanes } from './lanes.ts';
import type { OutboundMetrics } from './metrics.ts';
import type { Waiters } from './waiters.ts';

export interface LaneFollowersParts {
  readonly clock: Clock;
  readonly waiters: Waiters;
  readonly lanes: Lanes;
  readonly dailyLimit: DailyLimit;
  readonly metrics: OutboundMetrics;
}

/** The first to hear of what is written of messages: those who wait, then the messages' lanes, then counters and the daily limit. */
export function laneFollowers({ clock, waiters, lanes, dailyLimit, metrics }: LaneFollowersParts): Follower[] {
  const tellLimit = (profileId: string): void => {
    const gate = lanes.inMemory(profileId)?.gate;
    const limit = gate?.policy.dailyMessageLimit;
    if (gate !== undefined && limit !== undefined && rollTo(gate.count, dayOf(clock.now())).sent >= limit)
      dailyLimit.tell(gate);
  };
  const count = ({ type, data }: MessageEvent): void => {
    if (type === 'MessageSent') metrics.settled('sent', '');
    if (type === 'MessageFailed') metrics.settled('failed', data.error.code);
    if (type === 'OutcomeLost') metrics.settled('unknown', '');
  };
  return [
    ({ outcome, state, appended }, { messageId }) => {
      if (outcome !== 'guarded') waiters.tell(messageId, state, appended);
    },
    lanes.apply,
    ({ events }, { profileId }) => {
      for (const event of events) {
        count(event);
        if (event.type === 'MessageSent') tellLimit(profileId);
      }
    },
  ];
}
