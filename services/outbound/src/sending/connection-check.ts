import { DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { RequestContext, ServiceTools } from '@messaging-gateway/service';
import type { Lane } from '../lanes/lane.ts';

/** The request that wants to know. */
export type Asking = Pick<RequestContext, 'requestId' | 'traceparent'>;

/** How long sessions has to say whether a profile is connected, milliseconds. */
const patience = 5000;

/** Asks sessions whether a profile is connected: when nothing is known, and before a send is refused for it. */
export function connectionCheck({ ask, clock }: { ask: ServiceTools<unknown>['ask']; clock: Clock }) {
  return async (lane: Lane, { requestId, traceparent }: Asking): Promise<boolean> => {
    const { organizationId, profileId } = lane;
    try {
      const asking = { requestId, traceparent, timeoutMs: patience };
      const { status } = await ask(DescribeProfile, { organizationId, profileId }, asking);
      lane.connection.seen(status === 'connected', clock.now());
      return status === 'connected';
    } catch (error) {
      if (error instanceof Refused && error.code === 'NOT_FOUND') return false;
      throw error;
    }
  };
}
