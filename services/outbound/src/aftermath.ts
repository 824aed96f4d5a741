import type { Clock } from '@messaging-gateway/runtime';
import type { DailyLimit } from './gate/daily-limit.ts';
import { rollTo } from './gate/gate-count.ts';
import type { Follower } from './lanes/journal.ts';
import type { Lanes } from './lanes/lanes.ts';
import type { Waiters } from './lanes/waiters.ts';
import { isChange, type MessageEvent } from './message/message-events.ts';
import type { OutboundMetrics } from './metrics.ts';
import { dayOf } from './time/day.ts';
import type { NetworkIds } from './views/network-ids.ts';

export interface FollowersParts {
  readonly clock: Clock;
  readonly waiters: Waiters;
  readonly lanes: Lanes;
  readonly networkIds: NetworkIds;
  readonly dailyLimit: DailyLimit;
  readonly metrics: OutboundMetrics;
  /** Hears of everything that was written. */
  readonly noted: (event: MessageEvent) => void;
}

/** Who follows everything that is written of messages: those who wait are told first, then their lanes; counters move, receipts can come. */
export function followers({
  clock,
  waiters,
  lanes,
  networkIds,
  dailyLimit,
  metrics,
  noted,
}: FollowersParts): Follower[] {
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
    ({ events }, { messageId, profileId }) => {
      for (const event of events) {
        count(event);
        noted(event);
        if (event.type === 'MessageAccepted' && !isChange(event.data.type))
          networkIds.remember(profileId, event.data.networkMessageId, messageId);
        if (event.type === 'MessageSent') tellLimit(profileId);
      }
    },
  ];
}
