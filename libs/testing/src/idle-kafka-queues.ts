import { createRequire } from 'node:module';

/** The queue of a connection's requests, as far as it matters here. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Lets idle connections rest, as the product does (`libs/messaging/src/kafka/kafkajs/idle-queues.ts`): the library plans a look for requests
 * that wait when none does, with a timer of a negative time, of which the runtime warns, again each millisecond.
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
