import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { Lanes } from '../lanes/lanes.ts';
import type { OwnerNews } from '../lanes/owner-news.ts';

/** Tells a lane that its profile's connection came or went, wherever the lane is. One without work need not know. */
export function connectionNews(lanes: Lanes, news: OwnerNews, clock: Clock) {
  return (isConnected: boolean) =>
    async ({ organizationId, profileId, sequence }: EventEnvelope): Promise<void> => {
      if (profileId === undefined) return;
      const lane = lanes.inMemory(profileId);
      // A lane that misses it looks again by itself.
      if (lane === undefined) news.mention({ organizationId, profileId, connection: { isConnected, sequence } });
      else lane.connected(isConnected, sequence, clock.now());
    };
}
