import type { DataOf, EventEnvelope, ProfileHealth } from '@messaging-gateway/contracts';
import type { Lanes } from './lanes.ts';
import type { Owners } from './owners.ts';

/** Tells a lane that its profile's connection came or went, wherever the lane is. One without work need not know. */
export const connectionNews =
  (lanes: Lanes, owners: Owners) =>
  async (isConnected: boolean, { organizationId, profileId, sequence }: EventEnvelope): Promise<void> => {
    if (profileId === undefined) return;
    const connection = { isConnected, sequence };
    const lane = lanes.inMemory(profileId);
    // A lane that misses it looks again by itself.
    if (lane === undefined) owners.mention({ organizationId, profileId, connection });
    else lane.hear({ connection });
  };

/** Passes a change of an account's restriction to the lane of its profile, wherever the lane is. A lane that misses it asks sessions within a minute. */
export const restrictionNews =
  (lanes: Lanes, owners: Owners) =>
  async (
    { id: profileId, restriction }: DataOf<typeof ProfileHealth>,
    { organizationId }: EventEnvelope,
  ): Promise<void> => {
    if (restriction === undefined) return;
    const lane = lanes.inMemory(profileId);
    if (lane === undefined) owners.mention({ organizationId, profileId, restriction });
    else lane.hear({ restriction });
  };
