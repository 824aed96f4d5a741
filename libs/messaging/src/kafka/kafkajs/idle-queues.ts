import { createRequire } from 'node:module';

/** A connection's requests, as far as it matters here. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Lets idle connections rest. The library (2.2.4) looks for requests that wait after each answer, and when there are none
 * it plans the next look for a moment long past: a timer that goes off each millisecond from then on, for every
 * connection. A request that must wait plans its own look, so nothing has to be planned while none does.
 */
export function restIdleQueues(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  const { scheduleCheckPendingRequests: plan } = prototype;
  if (plan.name === 'planWhenPending') return;
  prototype.scheduleCheckPendingRequests = function planWhenPending(this: RequestQueue) {
    if (this.pending.length > 0) plan.call(this);
  };
}
