import type { TellLane } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import type { Static } from 'typebox';
import { isKnown, isOpen } from '../message/message-state.ts';
import { messageStream } from '../message/message-stream.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { Waiters } from './waiters.ts';

export interface HearingParts {
  readonly lanes: Lanes;
  readonly waiters: Waiters;
  readonly store: EventStore;
  readonly clock: Clock;
}

/** Takes in what other replicas tell of a lane of this one. A lane that is not in memory is read anew when it is needed. */
export function hearing({ lanes, waiters, store, clock }: HearingParts) {
  const settled = async (lane: Lane, messageId: string): Promise<void> => {
    const { state } = await store.load(messageStream, messageId);
    waiters.tell(messageId, state, []);
    if (isKnown(state) && !isOpen(state)) lane.queue.drop(messageId);
    lane.miscounted();
  };
  return async (news: Static<(typeof TellLane)['body']>): Promise<Record<string, never>> => {
    const { organizationId, profileId, connection, settledMessageId } = news;
    const lane = await lanes.ifLoaded(profileId);
    if (lane === undefined || lane.organizationId !== organizationId) return {};
    if (connection !== undefined) lane.connected(connection.isConnected, connection.sequence, clock.now());
    if (settledMessageId !== undefined) await settled(lane, settledMessageId);
    if (connection !== undefined || settledMessageId !== undefined) return {};
    lane.suspect(0);
    await lane.refresh();
    return {};
  };
}
