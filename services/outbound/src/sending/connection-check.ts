import { DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Lane } from '../lanes/lane.ts';

/** How long sessions has to say whether a profile is connected, milliseconds. */
const patience = 5000;

/** Asks sessions whether a profile is connected: when nothing is known, and before a send is refused for it. */
export function connectionCheck({ ask, clock }: { ask: ServiceTools<unknown>['ask']; clock: Clock }) {
  return async (lane: Lane, requestId: string): Promise<boolean> => {
    const { organizationId, profileId } = lane;
    try {
      const { status } = await ask(DescribeProfile, { organizationId, profileId }, { requestId, timeoutMs: patience });
      lane.connection.seen(status === 'connected', clock.now());
      return status === 'connected';
    } catch (error) {
      if (error instanceof Refused && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  };
}
