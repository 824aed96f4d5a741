import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Lanes } from '../lanes/lanes.ts';

/** Tells a lane that its profile's connection came or went. A lane without work need not know. */
export function connectionNews(lanes: Lanes, clock: Clock) {
  return (connected: boolean) =>
    async ({ profileId, sequence }: EventEnvelope): Promise<void> => {
      const lane = profileId === undefined ? undefined : lanes.inMemory(profileId);
      if (lane === undefined) return;
      if (lane.connection.told(connected, sequence, clock.now())) lane.reconnected();
      else lane.advance();
    };
}
